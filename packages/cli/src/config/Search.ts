/** Finds and reads the configuration file: the one that is named, or `tallystick.json` in the current folder. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import * as Failure from "../Failure.ts"
import type * as Configured from "./Configured.ts"
import * as Setting from "./Setting.ts"

export const NAME = "tallystick.json"

/** Where a file is looked for that nobody named; the current folder. */
export const Folder = Context.Reference<string>("@tallystick/cli/Search/Folder", { defaultValue: () => "" })

/** Loaded late: most commands run without a file. */
const load = Effect.promise(() => import("./ConfigFile.ts"))

/** As the environment would say it. */
const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** What the engine says of a text that it cannot read may quote a secret. */
const parsed = Option.liftThrowable((text: string): unknown => JSON.parse(text.replace(/^\uFEFF/, "")))

const read = Effect.fnUntraced(function*(path: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const ConfigFile = yield* load
  const json = parsed(yield* fileSystem.readFileString(path))
  if (Option.isNone(json)) return { values: new Map<string, string>(), problems: ["it is not valid JSON"] }
  const { problems, values } = ConfigFile.read(json.value)
  const folder = paths.dirname(path)
  const said = Object.entries(values).flatMap(([key, value]) => {
    const setting = Setting.settings.find((setting) => setting.key === key)
    if (setting === undefined) return []
    const text = written(value)
    return [[
      setting.variable,
      setting.form === "path" && !paths.isAbsolute(text) ? paths.join(folder, text) : text
    ]] as const
  })
  return { values: new Map(said), problems }
})

/** Whether a file that nobody named belongs to somebody else, or everybody may write it: it says whom keys are shown to. */
const isForeign = ({ mode, uid }: FileSystem.File.Info): boolean => {
  // A container may run as a number that has no name.
  const me = process.geteuid?.() ?? -1
  return (mode & 0o002) !== 0 || (me >= 0 && Option.exists(uid, (owner) => owner !== 0 && owner !== me))
}

const FOREIGN =
  "it belongs to somebody else, or everybody may write it, and it says whom keys are shown to; if it is " +
  `right, name it with --config or ${Setting.CONFIG}`

/** The file of `named`, else the one of the folder, else none. What is wrong with it is among its problems. */
export const find = Effect.fnUntraced(function*(named: Option.Option<string>): Effect.fn.Return<
  Configured.File | undefined,
  never,
  FileSystem.FileSystem | Path.Path
> {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const path = Option.getOrElse(named, () => NAME)
  const place = Option.isSome(named) ? path : paths.join(yield* Folder, path)
  const nothing = { path: place, values: new Map<string, string>() }
  if (Option.isNone(named)) {
    const info = yield* Effect.option(fileSystem.stat(place))
    if (Option.isNone(info)) return undefined
    if (isForeign(info.value)) return { ...nothing, problems: [FOREIGN] }
  }
  return yield* read(place).pipe(
    Effect.match({
      onFailure: (error) => ({ ...nothing, problems: [Failure.fromPlatform("it cannot be read")(error).message] }),
      onSuccess: (found) => ({ path: place, ...found })
    })
  )
})

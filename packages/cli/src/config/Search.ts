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

/** The folder where a file is looked for that was not named: the current one. */
export const Folder = Context.Reference<string>("@tallystick/cli/Search/Folder", { defaultValue: () => "" })

/** Loaded late: most commands run without a file. */
const load = Effect.promise(() => import("./ConfigFile.ts"))

/** As the environment would say it. */
const written = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

/** A longer file was meant for something else, bytes. */
const LONGEST = 1_000_000

/** A file of these kinds is no configuration: a pipe or a device might never end. */
const unfit = ({ size, type }: FileSystem.File.Info): string | undefined => {
  if (type === "Directory") return "it is a directory"
  if (type !== "File") return "it is no regular file"
  return size > LONGEST ? "it is longer than 1 MB" : undefined
}

const MEANT = `if it is right, name it with --config or ${Setting.CONFIG}`

const FOREIGN = `it belongs to somebody else, or everybody may write it, and it says whom keys are shown to; ${MEANT}`

/** Whether what lies there was put there by somebody else than this user or root. */
const isOthers = ({ uid }: FileSystem.File.Info): boolean => {
  // A container may run as a number that has no name.
  const me = process.geteuid?.() ?? -1
  return me >= 0 && Option.exists(uid, (owner) => owner !== 0 && owner !== me)
}

/** Whether strangers had a hand in a file that nobody named: it says whom keys are shown to. A link has an owner of its own. */
const isForeign = (place: string, info: FileSystem.File.Info) =>
  Effect.map(
    FileSystem.FileSystem.use(({ lstat }) => Effect.option(lstat(place))),
    (link) => (info.mode & 0o002) !== 0 || isOthers(info) || Option.exists(link, isOthers)
  )

/** Whether a path, links and all, stays in a folder. */
const isInside = Effect.fnUntraced(function*(folder: string, path: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const home = yield* Effect.orElseSucceed(fileSystem.realPath(folder), () => paths.resolve(folder))
  const lexical = paths.resolve(home, paths.relative(folder, path))
  const way = paths.relative(home, yield* Effect.orElseSucceed(fileSystem.realPath(path), () => lexical))
  return way !== ".." && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way)
})

const TAKEN =
  "a file that nobody named may only name key files in its own folder, because it also says whom the key is " +
  `shown to; ${MEANT}`

/** What a file that was found may not say, because it may be a stranger's. */
const refusals: ReadonlyMap<string, string> = new Map([
  [Setting.notices.command.key, `a file that nobody named may name no command to run; ${MEANT}`],
  [
    Setting.notices.url.key,
    `a file that nobody named may name no address that what is open, and the token, are sent to; ${MEANT}`
  ]
])

/** The values of a file, by variable. A file that was found and not named may not say everything. */
const read = Effect.fnUntraced(function*(path: string, isNamed: boolean) {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const ConfigFile = yield* load
  const values = new Map<string, string>()
  const found = ConfigFile.parse(yield* fileSystem.readFileString(path))
  const problems = [...found.problems]
  const folder = paths.dirname(path)
  for (const [key, value] of Object.entries(found.values)) {
    const setting = Setting.settings.find((setting) => setting.key === key)
    if (setting === undefined) continue
    const refusal = isNamed ? undefined : refusals.get(setting.key)
    if (refusal !== undefined) {
      problems.push(`${key}: ${refusal}`)
      continue
    }
    const text = written(value)
    const whole = Setting.namesFile(setting, text) && !paths.isAbsolute(text) ? paths.join(folder, text) : text
    if (isNamed || !Setting.isKeyFile(setting) || (yield* isInside(folder, whole))) values.set(setting.variable, whole)
    else problems.push(`${key}: ${TAKEN}`)
  }
  return { values, problems }
})

/** The file of `named`, else the one of the folder, else none. What is wrong with it is among its problems. */
export const find = Effect.fnUntraced(function*(named: Option.Option<string>): Effect.fn.Return<
  Configured.File | undefined,
  never,
  FileSystem.FileSystem | Path.Path
> {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const folder = yield* Folder
  const isNamed = Option.isSome(named)
  const place = Option.getOrElse(named, () => paths.join(folder, NAME))
  const refused = (problem: string): Configured.File => ({
    path: place,
    isNamed,
    values: new Map<string, string>(),
    problems: [problem]
  })
  return yield* Effect.gen(function*() {
    const info = yield* fileSystem.stat(place)
    if (!isNamed && (yield* isForeign(place, info))) return refused(FOREIGN)
    const problem = unfit(info)
    return problem === undefined
      ? { path: place, isNamed, ...yield* read(place, isNamed) }
      : refused(`it cannot be read: ${problem}`)
  }).pipe(
    Effect.catch((error) =>
      Effect.succeed(
        !isNamed && error.reason._tag === "NotFound"
          ? undefined
          : refused(Failure.fromPlatform("it cannot be read")(error).message)
      )
    )
  )
})

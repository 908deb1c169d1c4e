/** Files of the configuration that are open to others than their owner: key files to read, the configuration file to write. */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Failure from "../Failure.ts"
import * as Configured from "./Configured.ts"
import * as Exposure from "./Exposure.ts"
import * as Setting from "./Setting.ts"
import * as StrictFlag from "./StrictFlag.ts"

export interface OpenFile {
  readonly finding: string
  readonly advice: string
}

/** The file of one setting, where it counts and others may open it. */
export const ofKey = Effect.fnUntraced(function*(
  { choice, variable }: Setting.Setting
): Effect.fn.Return<ReadonlyArray<OpenFile>, never, FileSystem.FileSystem> {
  const direct = Setting.settings.find((setting) => setting.choice === choice && setting.form === "secret")
  if (direct !== undefined && (yield* Configured.value(direct.variable)) !== undefined) return []
  const path = (yield* Configured.value(variable))?.value
  const mode = path === undefined ? undefined : yield* Exposure.modeAt(path, Exposure.ofSecret)
  return mode === undefined ? [] : [{
    finding: `others than its owner may open ${path}, the file of ${yield* Configured.nameOf(variable)} (mode ${mode})`,
    advice: `chmod 600 ${path}; a secret that is mounted into a container gets its mode where it is mounted`
  }]
})

/** The files of the key and of its secret, where they count. */
export const keys = Effect.map(
  Effect.forEach(Setting.settings.filter(Setting.isKeyFile), ofKey),
  (files) => files.flat()
)

/** The configuration file, which says to which server keys are shown. */
export const configuration = Effect.gen(function*(): Effect.fn.Return<
  ReadonlyArray<OpenFile>,
  never,
  FileSystem.FileSystem
> {
  const { file } = yield* Configured.Configured
  const mode = file === undefined ? undefined : yield* Exposure.modeAt(file.path, Exposure.ofConfiguration)
  return file === undefined || mode === undefined ? [] : [{
    finding: `others than its owner may write ${file.path}, which says whom keys are shown to (mode ${mode})`,
    advice: `chmod 600 ${file.path}`
  }]
})

/** Warns of these; a strict command fails. */
export const judged = Effect.fnUntraced(function*(files: ReadonlyArray<OpenFile>) {
  const isStrict = yield* StrictFlag.isStrict
  const [first, ...more] = files.map(({ advice, finding }) => `${finding}: ${advice}`)
  if (first === undefined) return yield* Effect.void
  if (isStrict) return yield* Failure.usage(first, ...more)
  return yield* Effect.forEach([first, ...more], (line) => Effect.logWarning(line), { discard: true })
})

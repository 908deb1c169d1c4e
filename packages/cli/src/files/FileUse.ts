/**
 * The files that a command reads, and those that it writes. No file may be both, or be written for two purposes. Flags and settings
 * that name files are noted as they are parsed, and compared before the command begins. Functions that read or write a file
 * note it too, so that a file that no flag named is compared before it is touched.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { join } from "node:path"
import * as Configured from "../config/Configured.ts"
import * as Search from "../config/Search.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import * as FileIdentity from "./FileIdentity.ts"

interface Use {
  readonly path: string
  /** As messages call it: `--out report.html`. */
  readonly name: string
  readonly identity: () => string | undefined
  /** The identity of the file that was there when the use was noted; undefined where none was. */
  readonly before: string | undefined
}

interface Uses {
  readonly read: Array<Use>
  readonly written: Array<Use>
}

/** Of the command that runs; absent where none does. */
const Noted = Context.Reference<Uses | undefined>("@tallystick/cli/FileUse", { defaultValue: () => undefined })

/** Runs a command whose files are noted from here on. */
export const noted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => Effect.provideService(effect, Noted, { read: [], written: [] }))

const note = (kind: keyof Uses, use: Use): Effect.Effect<void> =>
  Effect.map(Noted, (uses) => {
    if (uses?.[kind].every(({ name, path }) => name !== use.name || path !== use.path) === true) uses[kind].push(use)
  })

const ofPath = (path: string, name: string): Use => ({
  path,
  name,
  identity: () => FileIdentity.of(path),
  before: FileIdentity.there(path)
})

/** Notes a file that will be read. */
export const toRead = (path: string, name: string) => Effect.suspend(() => note("read", ofPath(path, name)))

/** Notes a file that will be written. */
export const toWrite = (path: string, name: string) => Effect.suspend(() => note("written", ofPath(path, name)))

/** The endings of files that SQLite and our own lock keep beside an archive. */
const COMPANIONS = ["-wal", "-shm", "-journal", "-lock"]

/** Notes an archive and the files that belong to it: no result may take their place. */
export const toKeep = Effect.fnUntraced(function*(path: string, name: string) {
  yield* toRead(path, name)
  const real = FileIdentity.real(path)
  const owner = name.replace(/,$/, "")
  for (const end of COMPANIONS) yield* toRead(real + end, `${real}${end}, which belongs to ${owner},`)
})

/** Notes the file that a variable or its key in the configuration file names. */
export const toReadBySetting = Effect.fnUntraced(function*(path: string, variable: string) {
  yield* toRead(path, `${path}, which ${yield* Configured.nameOf(variable)} names,`)
})

/** Two uses that meet in one file. */
const clash = ({ read, written }: Uses): Failure.Failure | undefined => {
  // A file that several name goes by the first name, which is that of a flag.
  const readers = new Map(read.toReversed().map(({ identity, name }) => [identity(), name]))
  const writers = new Map<string, string>()
  for (const { identity, name, path } of written) {
    const file = identity()
    if (file === undefined) continue
    const [reader, writer] = [readers.get(file), writers.get(file)]
    if (reader !== undefined) {
      return Failure.usage(
        `${name} and ${reader} are one file, which the result would replace: let the result go elsewhere`
      )
    }
    if (FileIdentity.isArchive(path)) {
      return Failure.usage(
        `${name} is an archive of Tallystick, or a backup of one, which the result would replace: let the result go elsewhere`
      )
    }
    if (writer !== undefined) return Failure.usage(`${writer} and ${name} are one file: name one for each`)
    writers.set(file, name)
  }
  return undefined
}

const compared: Effect.Effect<void, Failure.Failure> = Effect.flatMap(Noted, (uses) => {
  const failure = uses === undefined ? undefined : clash(uses)
  return failure === undefined ? Effect.void : Effect.fail(failure)
})

/** Variables of Node that name certificates, which every connection is verified with. */
const CERTIFICATES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"]

/** The configuration file that is in force, and those that are when nobody names another. */
const configurationFiles = Effect.gen(function*() {
  const { file } = yield* Configured.Configured
  const paths = [file?.path, yield* Configured.environmental(Setting.CONFIG), join(yield* Search.Folder, Search.NAME)]
  for (const path of paths) if (path !== undefined) yield* toRead(path, `the configuration file ${path}`)
})

/**
 * Nothing may replace these, whether this command reads them or not, and whether what names them counts or not: secrets, the
 * archive, what runs are made with, certificates, the configuration itself.
 */
const configured = Effect.gen(function*() {
  yield* configurationFiles
  for (const setting of Setting.settings) {
    const { fallback, form, purpose, variable } = setting
    if (form !== "path") continue
    const keep = purpose === "archive" ? toKeep : toRead
    const values = yield* Configured.values(variable)
    for (const { source, value } of values) {
      if (!Setting.namesFile(setting, value)) continue
      yield* keep(value, `${value}, which ${Configured.sourceName(source)} names,`)
    }
    if (values.length === 0 && fallback !== undefined) yield* keep(fallback, `the archive ${fallback}`)
  }
  for (const variable of CERTIFICATES) {
    const path = yield* Configured.environmental(variable)
    if (path !== undefined) yield* toRead(path, `${path}, which ${variable} names,`)
  }
})

/** Fails where the command would write what it reads, or write twice: before it does anything. */
export const checked: Effect.Effect<void, Failure.Failure> = configured.pipe(
  Effect.andThen(
    note("written", { path: "", name: "stdout", identity: () => FileIdentity.ofStream(1), before: undefined })
  ),
  Effect.andThen(compared)
)

const isNoted = (kind: keyof Uses, path: string) =>
  Effect.map(Noted, (uses) => uses?.[kind].some((use) => use.path === path) === true)

/** Notes a file that is about to be read, however it was named. */
export const reading = Effect.fnUntraced(function*(path: string) {
  if (!(yield* isNoted("read", path))) yield* toRead(path, path)
  yield* compared
})

/**
 * Notes a file that is about to be written, however it was named; messages call a file that no flag named `name`. Gives
 * what was there when the command began.
 */
export const writing = Effect.fnUntraced(function*(path: string, name: string = path) {
  if (!(yield* isNoted("written", path))) yield* toWrite(path, name)
  yield* compared
  const known = (yield* Noted)?.written.find((use) => use.path === path)
  return { before: known === undefined ? FileIdentity.there(path) : known.before }
})

/**
 * Reads settings from a ConfigProvider, whichever it is: a text, its parts, or a secret in a file. A mistake is told by the path of
 * its setting, and never by its value.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type * as PlatformError from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Issue from "../decoding/Issue.ts"
import { type ConfigurationError, wrongAt } from "./ConfigurationError.ts"
import * as FurtherKeys from "./FurtherKeys.ts"
import type * as KeyForm from "./KeyForm.ts"
import * as SettingTable from "./SettingTable.ts"

/** Makes a Config fail with an error of ours. */
export const refused = (error: ConfigurationError) =>
  Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message: error.message, cause: error })))

/** The content of a provider under a name: a text, or parts. */
type Tree = string | ReadonlyArray<Tree> | { readonly [key: string]: Tree }

const Tree: Schema.Codec<Tree> = Schema.Union([
  Schema.String,
  Schema.Array(Schema.suspend(() => Tree)),
  Schema.Record(Schema.String, Schema.suspend(() => Tree))
])

/** Reads a text as JSON would write it: a provider has only text. */
const ofText = (text: string): unknown =>
  /^(?:-?\d{1,15}|true|false|\{.*\})$/s.test(text)
    ? Result.getOrElse(Result.try(() => JSON.parse(text) as unknown), () => text)
    : text

const written = (tree: Tree): unknown => {
  if (typeof tree === "string") return ofText(tree.trim())
  return isList(tree)
    ? tree.map(written)
    : Object.fromEntries(Object.entries(tree).map(([key, part]) => [key, written(part)]))
}

const isList = (tree: Tree): tree is ReadonlyArray<Tree> => Array.isArray(tree)

const parts = (tree: Tree): ReadonlyArray<string> => typeof tree === "string" || isList(tree) ? [] : Object.keys(tree)

/** Reads one setting, from text or from its parts, by the allowed values of the table. */
export const setting = <A>(prefix: string, { allowed, name, schema, ...row }: SettingTable.Setting<A>) => {
  const decode = Schema.decodeUnknownResult(schema, { onExcessProperty: "error", errors: "all" })
  return Config.option(Config.schema(Tree, name)).pipe(
    Config.mapEffect((found) => {
      const tree = Option.filter(found, (tree) => typeof tree !== "string" || tree.trim() !== "")
      if (Option.isNone(tree)) return Effect.succeed(SettingTable.fallback({ allowed, name, schema, ...row }))
      return Result.match(decode(written(tree.value)), {
        onFailure: (error) => {
          const named = Issue.all(error).find(({ path }) => path !== "")
          const part = named?.path ?? parts(tree.value)[0]
          const fault = named?.reason === "Missing key" ? "lacks a setting:" : "has a wrong or unknown setting:"
          return refused(wrongAt(
            [prefix, name],
            part === undefined ? `is not valid; allowed: ${allowed}` : `${fault} ${part}`
          ))
        },
        onSuccess: (value) => Effect.succeed(value)
      })
    })
  )
}

/** Reads the content of one name, where it is not empty. The path of a secret's file is no part of the secret. */
const filled = (name: string): Config.Config<Option.Option<Tree>> =>
  Config.map(
    Config.option(Config.schema(Tree, name)),
    Option.filter((tree) =>
      typeof tree === "string" ? tree.trim() !== "" : isList(tree) || parts(tree).some((part) => part !== "FILE")
    )
  )

/** Returns the error of a name that holds something other than text. */
const untold = (path: ReadonlyArray<string>, found: Option.Option<Tree>, how: string): ConfigurationError =>
  wrongAt(
    path,
    Option.isNone(found)
      ? `is missing; set it${how}`
      : `is not one text: only parts of it are there, as of a list or a record; set it${how}`
  )

const isText = (found: Option.Option<Tree>): found is Option.Some<string> =>
  Option.isSome(found) && typeof found.value === "string"

export const required = (prefix: string, name: string, how: string) =>
  Config.mapEffect(
    filled(name),
    (found) => isText(found) ? Effect.succeed(found.value.trim()) : refused(untold([prefix, name], found, how))
  )

/** Says in plain words why a file cannot be read. */
const unreadable = ({ reason }: PlatformError.PlatformError): string => {
  switch (reason._tag) {
    case "NotFound":
      return "it does not exist"
    case "PermissionDenied":
      return "this user may not read it"
    case "BadResource":
      return "it is a directory, or no file at all"
    default:
      return "the system refuses to read it"
  }
}

/** Reads the text of a file, without white space around it. */
const fileText = Effect.fnUntraced(function*(setting: ReadonlyArray<string>, path: string) {
  const fileSystem = yield* Effect.serviceOption(FileSystem.FileSystem)
  if (Option.isNone(fileSystem)) return yield* wrongAt(setting, "is set, but no FileSystem is provided to read it with")
  const text = yield* fileSystem.value.readFileString(path).pipe(
    Effect.mapError((error) => wrongAt(setting, `names a file that cannot be read: ${unreadable(error)}`))
  )
  return text.trim() === "" ? yield* wrongAt(setting, "names a file that is empty") : text.trim()
})

/** A text that is secret, and the setting that told it: itself, or by the file that it names. */
interface Told {
  readonly path: ReadonlyArray<string>
  readonly isFile: boolean
  readonly text: string
}

/** Reads a secret text from its setting, or from the file that `…_FILE` names. */
const secretText = (prefix: string, name: string): Config.Config<Option.Option<Told>> => {
  const file = [prefix, `${name}_FILE`]
  return Config.mapEffect(
    Config.all({ direct: filled(name), path: filled(`${name}_FILE`) }),
    Effect.fnUntraced(
      function*({ direct, path }) {
        if (isText(direct)) {
          return Option.some({ path: [prefix, name], isFile: false, text: direct.value.trim() })
        }
        if (isText(path)) {
          return Option.some({ path: file, isFile: true, text: yield* fileText(file, path.value.trim()) })
        }
        if (Option.isSome(path)) return yield* untold(file, path, " to a path")
        return Option.isNone(direct) ? Option.none() : yield* untold([prefix, name], direct, BESIDE)
      },
      Effect.catch(refused)
    )
  )
}

/** Said in any notation of a provider: a name is a path in one, and joined by `_` in another. */
const BESIDE = ", or, with _FILE behind its name, the path of a file"

/** A problem of what a setting told. */
export const ofTold = ({ isFile, path }: Pick<Told, "isFile" | "path">, problem: string): ConfigurationError =>
  wrongAt(path, isFile ? `names a file that ${problem}` : problem)

export const secret = (prefix: string, name: string, { allowed, isValid }: KeyForm.Form) =>
  Config.mapEffect(secretText(prefix, name), (told) => {
    if (Option.isNone(told)) return refused(untold([prefix, name], Option.none(), BESIDE))
    const { isFile, path, text } = told.value
    return !isFile || isValid(text)
      ? Effect.succeed(Redacted.make(text, { label: `${prefix}_${name}` }))
      : refused(wrongAt(path, `names a file whose text is not valid; allowed: ${allowed}`))
  })

/** Reads further keys, and tells which setting told them. */
export const furtherKeys = (prefix: string) =>
  Config.mapEffect(
    secretText(prefix, SettingTable.table.apiKeys.name),
    Option.match({
      onNone: () => Effect.succeed({ path: [prefix], isFile: false, keys: [] }),
      onSome: (told) =>
        Result.match(FurtherKeys.parse(told.text), {
          onFailure: (problem) => refused(ofTold(told, problem)),
          onSuccess: (keys) => Effect.succeed({ path: told.path, isFile: told.isFile, keys })
        })
    })
  )

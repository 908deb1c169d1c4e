/** Every setting: its value in force, the source of the value, and its problem. It holds no secret, nor the length of one. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Suggestion from "../text/Suggestion.ts"
import * as Configured from "./Configured.ts"
import * as InputSetting from "./InputSetting.ts"
import * as Proxy from "./Proxy.ts"
import * as Setting from "./Setting.ts"
import * as Variables from "./Variables.ts"

export const Origin = Schema.Literals(["flag", "environment", "file", "default", "unset"])

/** A setting as `--format json` writes it. */
export const Row = Schema.Struct({
  setting: Schema.String,
  variable: Schema.String,
  /** Null where nothing is set, or what is set makes no sense; of a secret it tells only that there is one. */
  value: Schema.NullOr(Schema.String),
  origin: Origin,
  /** The flag, the variable or the file. */
  from: Schema.NullOr(Schema.String),
  /** The setting that counts in the place of this one; null where this one is in force. */
  overruledBy: Schema.NullOr(Schema.String),
  problem: Schema.NullOr(Schema.String)
})
export type Row = typeof Row.Type

export const Overview = Schema.Struct({
  /** The configuration file. */
  file: Schema.NullOr(Schema.String),
  settings: Schema.Array(Row),
  /** How requests leave this machine; null without a proxy. */
  proxy: Schema.NullOr(Schema.String),
  /** Problems of the file. */
  problems: Schema.Array(Schema.String),
  /** Variables of ours that nothing reads. */
  unread: Schema.Array(Schema.String)
})
export type Overview = typeof Overview.Type

/** Flags by their name, as they were given. */
export type Flags = Readonly<Record<string, Option.Option<string>>>

const HIDDEN = "(hidden)"

const address = (setting: Setting.Setting, value: string): string => {
  if (setting.variable === ArchiveConfig.DATABASE_URL) {
    return ArchiveConfig.place({ _tag: "Postgres", url: Redacted.make(value) })
  }
  const url = URL.parse(value)
  return url === null || url.username !== "" || url.password !== "" || url.search !== "" ? HIDDEN : value
}

const shown = (setting: Setting.Setting, value: string): string => {
  if (setting.form === "secret") return HIDDEN
  return setting.form === "address" ? address(setting, value) : value
}

/** Problems that the client and the archive find, by variable. A missing value is none: not every command needs it. */
const complaints = Effect.gen(function*() {
  const { problems } = yield* Variables.read
  const archive = yield* Effect.match(ArchiveConfig.location, {
    onFailure: (error): ReadonlyArray<BrokerConfig.ConfigurationError> => [error],
    onSuccess: () => []
  })
  return new Map([...problems, ...archive].map(({ problem, variable }) => [variable, problem]))
})

/** Of several ways to say the same the one that counts, where there is one. */
const inForce = Effect.fnUntraced(function*({ flags }: Look, choice: string) {
  const ways = Setting.settings.filter((setting) => setting.choice === choice)
  const flagged = ways.find(({ flag }) => flag !== undefined && Option.isSome(flags[flag] ?? Option.none()))
  if (flagged !== undefined) return flagged
  const said = yield* Effect.filter(
    ways,
    ({ variable }) => Effect.map(Configured.value(variable), Predicate.isNotUndefined)
  )
  // A database comes before a file, what is said itself before a file that holds it.
  return said.find(({ form }) => form !== "path") ?? said[0]
})

interface Look {
  readonly flags: Flags
  readonly problems: ReadonlyMap<string, string>
}

/** A file that a flag names takes no database of the environment away. */
const clash = Effect.map(
  Configured.value(ArchiveConfig.DATABASE_URL),
  (database) =>
    database?.source._tag === "Environment"
      ? `and ${ArchiveConfig.DATABASE_URL} both say where the archive is: only one of them can`
      : undefined
)

const row = (look: Look) =>
  Effect.fnUntraced(function*(setting: Setting.Setting): Effect.fn.Return<Row, never, FileSystem.FileSystem> {
    const { choice, fallback, flag, key, variable } = setting
    const first = choice === undefined ? setting : (yield* inForce(look, choice)) ?? setting
    const about = { setting: key, variable, overruledBy: first.key === key ? null : first.key }
    const given = flag === undefined ? undefined : Option.getOrUndefined(look.flags[flag] ?? Option.none())
    const configured = given === undefined ? yield* Configured.value(variable) : undefined
    const value = given ?? configured?.value
    if (value === undefined) {
      return fallback === undefined
        ? { ...about, value: null, origin: "unset", from: null, problem: null }
        : { ...about, value: fallback, origin: "default", from: null, problem: null }
    }
    const problem = (yield* InputSetting.problem(setting, value)) ??
      (given === undefined || key !== "archive" ? undefined : yield* clash) ??
      (given === undefined ? look.problems.get(variable) : undefined)
    const source = configured?.source
    return {
      ...about,
      value: problem === undefined ? shown(setting, value) : null,
      ...(source === undefined ? { origin: "flag", from: `--${flag}` } : source._tag === "File"
        ? { origin: "file", from: source.path }
        : { origin: "environment", from: source.variable }),
      problem: problem ?? null
    }
  })

const misspelt = (name: string): string => {
  const near = Suggestion.of(name, Setting.variables)
  return near.length === 0 ? name : `${name} (did you mean ${near.join(" or ")}?)`
}

/** Gives the settings in force for a command with these flags. */
export const make = Effect.fnUntraced(
  function*(flags: Flags): Effect.fn.Return<Overview, never, FileSystem.FileSystem> {
    const { file } = yield* Configured.Configured
    const settings = yield* Effect.forEach(Setting.settings, row({ flags, problems: yield* complaints }))
    const baseUrl = yield* Configured.value("TALLYSTICK_BASE_URL")
    return {
      file: file?.path ?? null,
      settings,
      proxy: (yield* Proxy.describe(baseUrl?.value ?? "")) ?? null,
      problems: file?.problems ?? [],
      unread: (yield* Variables.unread).map(misspelt)
    }
  }
)

export const isSound = ({ problems, settings }: Overview): boolean =>
  problems.length === 0 && settings.every(({ problem }) => problem === null)

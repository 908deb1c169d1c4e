/** Every setting: its value in force, who said so, and what is wrong with it. No secret stands in it, nor how long one is. */
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Variables from "../doctor/Variables.ts"
import * as Moment from "../Moment.ts"
import * as Proxy from "../Proxy.ts"
import * as Suggestion from "../Suggestion.ts"
import * as ConfigFile from "./ConfigFile.ts"
import * as Configured from "./Configured.ts"
import * as Setting from "./Setting.ts"

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
  problem: Schema.NullOr(Schema.String)
})
export type Row = typeof Row.Type

export const Overview = Schema.Struct({
  /** The configuration file. */
  file: Schema.NullOr(Schema.String),
  settings: Schema.Array(Row),
  /** How requests leave this machine; null without a proxy. */
  proxy: Schema.NullOr(Schema.String),
  /** What is wrong with the file. */
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

const formats = Schema.is(ConfigFile.schema.fields.format)

/** What the client and the archive have to say, by variable. What is missing is no mistake: not every command needs it. */
const complaints = Effect.gen(function*() {
  const { problems } = yield* Variables.read
  const archive = yield* Effect.match(ArchiveConfig.location, {
    onFailure: (error): ReadonlyArray<BrokerConfig.ConfigurationError> => [error],
    onSuccess: () => []
  })
  return new Map([...problems, ...archive].map(({ problem, variable }) => [variable, problem]))
})

const wrong = ({ key }: Setting.Setting, value: string): string | undefined => {
  if (key === "format") return formats(value) ? undefined : "is no form of a report"
  if (key !== "zone") return undefined
  const zone = Moment.zone(value)
  return Result.isFailure(zone) ? zone.failure : undefined
}

const row = (flags: Flags, problems: ReadonlyMap<string, string>) =>
  Effect.fnUntraced(function*(setting: Setting.Setting): Effect.fn.Return<Row> {
    const { fallback, flag, key, variable } = setting
    const about = { setting: key, variable }
    const given = flag === undefined ? undefined : Option.getOrUndefined(flags[flag] ?? Option.none())
    const configured = given === undefined ? yield* Configured.value(variable) : undefined
    const value = given ?? configured?.value
    if (value === undefined) {
      return fallback === undefined
        ? { ...about, value: null, origin: "unset", from: null, problem: null }
        : { ...about, value: fallback, origin: "default", from: null, problem: null }
    }
    const problem = wrong(setting, value) ?? (given === undefined ? problems.get(variable) : undefined)
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
  const [suggestion] = Suggestion.of(name, Setting.variables)
  return suggestion === undefined ? name : `${name} (did you mean ${suggestion}?)`
}

/** What is in force for a command that these flags are given to. */
export const make = Effect.fnUntraced(function*(flags: Flags): Effect.fn.Return<Overview> {
  const { file } = yield* Configured.Configured
  const settings = yield* Effect.forEach(Setting.settings, row(flags, yield* complaints))
  const baseUrl = yield* Configured.value("TALLYSTICK_BASE_URL")
  return {
    file: file?.path ?? null,
    settings,
    proxy: (yield* Proxy.describe(baseUrl?.value ?? "")) ?? null,
    problems: file?.problems ?? [],
    unread: (yield* Variables.unread).map(misspelt)
  }
})

export const isSound = ({ problems, settings }: Overview): boolean =>
  problems.length === 0 && settings.every(({ problem }) => problem === null)

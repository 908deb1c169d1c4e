/** Values of settings and their sources: the environment, then the configuration file, then the defaults. */
import type * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import * as Setting from "./Setting.ts"

/** A configuration file that was found. */
export interface File {
  /** As it was named, for people. */
  readonly path: string
  /** Whether somebody asked for it; else it lay in the folder. */
  readonly isNamed: boolean
  /** By variable, as the environment would say it; paths from where the command runs. */
  readonly values: ReadonlyMap<string, string>
  readonly problems: ReadonlyArray<string>
}

interface Configured {
  readonly file: File | undefined
  /** Without the file. */
  readonly environment: ConfigProvider.ConfigProvider | undefined
}

/** In force for the command that runs. */
export const Configured = Context.Reference<Configured>("@tallystick/cli/Configured", {
  defaultValue: () => ({ file: undefined, environment: undefined })
})

/** The value that a provider has for a variable; an empty one counts as absent. */
const said = (provider: ConfigProvider.ConfigProvider, variable: string): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.orElseSucceed(provider.load(variable.split("_")), () => undefined),
    (node) => node?.value === undefined || node.value.trim() === "" ? undefined : node.value.trim()
  )

/** The environment's value of a variable, whatever the configuration file says. */
export const environmental = Effect.fnUntraced(function*(variable: string) {
  const { environment = yield* ConfigProvider.ConfigProvider } = yield* Configured
  return yield* said(environment, variable)
})

/** The variables that say the same thing as this one, itself, and those that it belongs to. */
const choice = (variable: string): ReadonlyArray<string> => {
  const setting = Setting.byVariable(variable)
  const names = new Set([setting?.choice, setting?.belongsTo])
  const others = Setting.settings.filter(({ choice }) => choice !== undefined && names.has(choice))
  return [variable, ...others.map(({ variable }) => variable)]
}

/** Whether the environment speaks of this, in one way or another: then the file does not count. */
const isSaid = (environment: ConfigProvider.ConfigProvider, variable: string): Effect.Effect<boolean> =>
  Effect.map(
    Effect.forEach(choice(variable), (one) => said(environment, one)),
    (values) => values.some((value) => value !== undefined)
  )

/** The environment, and behind it the file. */
const layered = (environment: ConfigProvider.ConfigProvider, { values }: File): ConfigProvider.ConfigProvider =>
  ConfigProvider.make(Effect.fnUntraced(function*(path) {
    const node = yield* environment.load(path)
    const variable = path.join("_")
    const value = values.get(variable)
    if (value === undefined || (yield* isSaid(environment, variable))) return node
    return node?._tag === "Record" ? ConfigProvider.makeRecord(node.keys, value) : ConfigProvider.makeValue(value)
  }))

/** Of our variables only what each says: one whose name goes on (`TALLYSTICK_TIMEOUT_MS`) is another one, and no part of it. */
const withoutParts = (provider: ConfigProvider.ConfigProvider): ConfigProvider.ConfigProvider =>
  ConfigProvider.make((path) =>
    Effect.map(provider.load(path), (node) => {
      if (node?._tag === "Value" || Setting.byVariable(path.join("_")) === undefined) return node
      return node?.value === undefined ? undefined : ConfigProvider.makeValue(node.value)
    })
  )

/** Runs with the file behind the environment. */
export const withFile = (file: File | undefined) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(ConfigProvider.ConfigProvider, (environment) =>
    effect.pipe(
      Effect.provideService(Configured, { file, environment }),
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        withoutParts(file === undefined ? environment : layered(environment, file))
      )
    ))

/** The source of the value; none where the default counts. */
export type Source =
  | { readonly _tag: "Environment"; readonly variable: string }
  | { readonly _tag: "File"; readonly path: string; readonly key: string }

export interface Value {
  readonly value: string
  readonly source: Source
}

/** The values of a variable in the environment and in the file, in this order, whether they count or not. */
export const values = Effect.fnUntraced(function*(variable: string): Effect.fn.Return<ReadonlyArray<Value>> {
  const { file } = yield* Configured
  const own = yield* environmental(variable)
  const written = file?.values.get(variable)
  const found: Array<Value> = []
  if (own !== undefined) found.push({ value: own, source: { _tag: "Environment", variable } })
  if (file !== undefined && written !== undefined) {
    const key = Setting.byVariable(variable)?.key ?? variable
    found.push({ value: written, source: { _tag: "File", path: file.path, key } })
  }
  return found
})

/** The value in force of a variable, and its source. */
export const value = Effect.fnUntraced(function*(variable: string): Effect.fn.Return<Value | undefined> {
  const { environment = yield* ConfigProvider.ConfigProvider } = yield* Configured
  const [first] = yield* values(variable)
  return first?.source._tag === "File" && (yield* isSaid(environment, variable)) ? undefined : first
})

/** `rate in tallystick.json`, where the file says it; else the variable. */
export const sourceName = (source: Source): string =>
  source._tag === "File" ? `${source.key} in ${source.path}` : source.variable

/** The source of a variable's value, as messages call it; the variable itself where it has no value. */
export const nameOf = (variable: string): Effect.Effect<string> =>
  Effect.map(value(variable), (value) => value === undefined ? variable : sourceName(value.source))

/** `TALLYSTICK_POLICY names policy.json, which`, of a path that was configured; else the path itself. */
export const namingOf = Effect.fnUntraced(function*(path: string) {
  for (const { form, variable } of Object.values(Setting.inputs)) {
    if (form === "path" && (yield* value(variable))?.value === path) {
      return `${yield* nameOf(variable)} names ${path}, which`
    }
  }
  return path
})

/** The failure that names the source of a wrong value. */
export const failure = ({ problem, variable }: BrokerConfig.ConfigurationError): Effect.Effect<Failure.Failure> =>
  Effect.map(nameOf(variable), (name) => Failure.usage(`${name} ${problem}`))

/** The failure that names the sources of several wrong values, behind what else there is to say. */
export const failures = Effect.fnUntraced(
  function*(errors: ReadonlyArray<BrokerConfig.ConfigurationError>, ...before: ReadonlyArray<string>) {
    const named = yield* Effect.forEach(errors, failure)
    const [first = "", ...more] = [...before, ...named.map(({ message }) => message)]
    return Failure.usage(first, ...more)
  }
)

/** Fails where the configuration file is not as it should be: to go on without it could mean another exchange. */
export const sound: Effect.Effect<void, Failure.Failure> = Effect.flatMap(Configured, ({ file }) => {
  const [first, ...more] = file === undefined ? [] : file.problems.map((problem) => `${file.path}: ${problem}`)
  return first === undefined ? Effect.void : Effect.fail(Failure.usage(first, ...more))
})

/** The `TALLYSTICK_*` variables one by one: what is wrong with each, and which are set that nothing reads. */
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Configured from "./Configured.ts"
import * as Setting from "./Setting.ts"

const PREFIX = "TALLYSTICK"

/** Variables that mean something only together stand together. */
const groups = Object.entries(BrokerConfig.settings).flatMap(([key, setting]) => {
  const { name } = setting
  if (key === "allowHttp") return []
  if (key === "baseUrl") return [[name, BrokerConfig.settings.allowHttp.name]]
  return ["secret" in setting ? [name, `${name}_FILE`] : [name]]
})

/** Valid values of what is required, to stand beside the variable in question. */
const sound = ConfigProvider.fromEnvRecord({
  TALLYSTICK_BASE_URL: "https://api.example.com",
  TALLYSTICK_API_KEY: "key",
  TALLYSTICK_SECRET_KEY: "secret"
})

const settings = Effect.flatMap(BrokerConfig.load(), (options) => Effect.fromResult(BrokerConfig.make(options)))

/** The problem of one group, when all the others are as they should be. */
const problemOf = (provider: ConfigProvider.ConfigProvider, group: ReadonlyArray<string>) =>
  settings.pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.make((path) => (group.includes(String(path[1])) ? provider : sound).load(path))
    ),
    Effect.flip,
    Effect.option
  )

/** The settings, or everything that is wrong with them. */
export const read = Effect.matchEffect(settings, {
  onSuccess: (settings) => Effect.succeed({ settings, problems: [] }),
  onFailure: Effect.fnUntraced(function*(first) {
    const provider = yield* ConfigProvider.ConfigProvider
    const found = yield* Effect.forEach(groups, (group) => problemOf(provider, group))
    const problems = found.flatMap((problem) => Option.match(problem, { onNone: () => [], onSome: (one) => [one] }))
    return { settings: undefined, problems: problems.length === 0 ? [first] : problems }
  })
})

/** Whether anything says this variable. */
const isSaid = (variable: string) => Effect.map(Configured.value(variable), (value) => value !== undefined)

/** Whether a group can be read again: a secret may stand in a pipe, which was read to its end. */
const isReadable = ([name = "", file]: ReadonlyArray<string>) =>
  file?.endsWith("_FILE") === true
    ? Effect.map(Effect.all([isSaid(name), isSaid(file)]), ([isDirect, isInFile]) => isDirect || !isInFile)
    : Effect.succeed(true)

/** The error, and what else is wrong as far as that can be told without reading the file of a secret again. */
export const withOthers = Effect.fnUntraced(function*(error: BrokerConfig.ConfigurationError) {
  const provider = yield* ConfigProvider.ConfigProvider
  const found = yield* Effect.forEach(
    yield* Effect.filter(groups, isReadable),
    (group) => problemOf(provider, group)
  )
  const others = found.flatMap((problem) => Option.match(problem, { onNone: () => [], onSome: (one) => [one] }))
  const isAmong = others.some(({ problem, variable }) => problem === error.problem && variable === error.variable)
  return isAmong ? others : [error, ...others]
})

/** What keeps the settings from being read: all that is missing at once. */
export const problems = Effect.matchEffect(settings, {
  onSuccess: () => Effect.succeed<ReadonlyArray<BrokerConfig.ConfigurationError>>([]),
  onFailure: withOthers
})

/** The conventions in force, also where neither address nor key is configured. */
export const conventions = Effect.flatMap(ConfigProvider.ConfigProvider, (provider) =>
  settings.pipe(
    Effect.map(({ conventions }) => conventions),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.make((path) => (path[1] === "CONVENTIONS" ? provider : sound).load(path))
    )
  ))

/** The value of one variable that is no secret. */
export const value = Effect.fnUntraced(function*(name: string) {
  const provider = yield* ConfigProvider.ConfigProvider
  const node = yield* Effect.orElseSucceed(provider.load([PREFIX, name]), () => undefined)
  return node?.value?.trim() === "" ? undefined : node?.value?.trim()
})

const under = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function*() {
    const node = yield* Effect.orElseSucceed(provider.load(path), () => undefined)
    if (node === undefined) return []
    const own = node.value === undefined ? [] : [path.join("_")]
    if (node._tag !== "Record") return own
    const children = yield* Effect.forEach(node.keys, (key) => under(provider, [...path, key]))
    return [...own, ...children.flat()]
  })

/** Variables of our prefix that nothing reads: most likely misspelt. */
export const unread = Effect.gen(function*() {
  const { environment = yield* ConfigProvider.ConfigProvider } = yield* Configured.Configured
  const set = yield* under(environment, [PREFIX])
  return set.filter((name) => !Setting.variables.includes(name)).toSorted()
})

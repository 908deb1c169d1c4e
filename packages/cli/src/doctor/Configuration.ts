/** Whether the client is told everything it needs, and told it safely. */
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import * as Text from "@tallystick/report/text/Text"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Configured from "../config/Configured.ts"
import * as InputSetting from "../config/InputSetting.ts"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Proxy from "../config/Proxy.ts"
import * as StrictFlag from "../config/StrictFlag.ts"
import * as Variables from "../config/Variables.ts"
import * as Check from "./Check.ts"
import * as Standing from "./Standing.ts"

const changed = (conventions: Conventions.Conventions): string => {
  const usual: Readonly<Record<string, unknown>> = Conventions.mexc
  const keys = Object.entries(conventions)
    .filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(usual[key]))
    .map(([key]) => key)
  return keys.length === 0 ? "no conventions changed" : `changed conventions: ${keys.join(", ")}`
}

/** `TALLYSTICK_API_KEY_FILE` where the key comes from a file, `apiKeyFile in tallystick.json` where that says so. */
const source = (name: string) =>
  Effect.flatMap(
    Variables.value(name),
    (direct) => Configured.nameOf(`TALLYSTICK_${name}${direct === undefined ? "_FILE" : ""}`)
  )

/** `TALLYSTICK_BASE_URL`, or the other source of the service's address. */
const via = Effect.fnUntraced(function*({ baseUrl }: BrokerConfig.Settings) {
  const { file } = yield* Configured.Configured
  const proxy = yield* Proxy.describe(baseUrl)
  return [
    `${baseUrl} from ${yield* Configured.nameOf("TALLYSTICK_BASE_URL")}`,
    ...(proxy === undefined ? [] : [proxy]),
    ...(file === undefined ? [] : [`configuration file ${file.path}`])
  ]
})

const told = Effect.fnUntraced(function*(settings: BrokerConfig.Settings) {
  const { apiKeys, concurrency, conventions, maxWait, retries, timeout } = settings
  return Check.ok(
    "configuration",
    [
      ...yield* via(settings),
      `key from ${yield* source("API_KEY")}`,
      `secret from ${yield* source("SECRET_KEY")}`,
      ...(apiKeys.length === 0
        ? []
        : [`${Text.counted(apiKeys.length, "further key")} from ${yield* source("API_KEYS")}`]),
      `at most ${Standing.allowed(settings)}`,
      `${Duration.format(timeout)} for an answer`,
      Text.counted(retries, "retry", "retries"),
      `waits up to ${Duration.format(maxWait)} when asked to`,
      `${concurrency} slices at once`,
      changed(conventions)
    ].join("; ")
  )
})

/** Whether the address would be refused had plain http not been allowed. */
const isExposed = (settings: BrokerConfig.Settings): boolean =>
  Result.isFailure(BrokerConfig.make({ ...settings, allowHttp: false }))

const plainHttp = (settings: BrokerConfig.Settings): ReadonlyArray<Check.Check> =>
  isExposed(settings)
    ? [Check.warning(
      "configuration",
      "plain http: whoever sits between this machine and the service can read the key and what is answered",
      "Use the https address in TALLYSTICK_BASE_URL and take TALLYSTICK_ALLOW_HTTP away. If a key has gone over this " +
        "way already, replace it."
    )]
    : []

/** Files that others may open. A strict command refuses them. */
const openFiles = Effect.gen(function*() {
  const files = [...yield* OpenFiles.configuration, ...yield* OpenFiles.keys]
  // A value that makes no sense is told with the other settings.
  const isStrict = yield* Effect.orElseSucceed(StrictFlag.isStrict, () => false)
  const check = isStrict ? Check.failed : Check.warning
  return { isStrict, checks: files.map(({ advice, finding }) => check("configuration", finding, advice)) }
})

const misspelt = (names: ReadonlyArray<string>): ReadonlyArray<Check.Check> =>
  names.length === 0 ? [] : [Check.warning(
    "configuration",
    `${Text.listed(names)} ${names.length === 1 ? "is" : "are"} set, and nothing reads ${
      names.length === 1 ? "it" : "them"
    }`,
    "Look for a misspelt name: tallystick config show lists all of them."
  )]

/** The problems of the configuration file: any other command would refuse it. */
const fileProblems = Effect.map(
  Configured.Configured,
  ({ file }) =>
    (file?.problems ?? []).map((problem) =>
      Check.failed("configuration", `${file?.path}: ${problem}`, "Correct the file, and run doctor again.")
    )
)

const broken = Effect.fnUntraced(function*(problems: ReadonlyArray<BrokerConfig.ConfigurationError>) {
  const named = yield* Effect.forEach(problems, (problem) => Configured.failure(problem))
  return named.map(({ message }) =>
    Check.failed(
      "configuration",
      message,
      "Put it right in the environment of this command or in its configuration file, and run doctor again."
    )
  )
})

/** The settings when they are whole, and what is to be said about them. */
export const look = Effect.gen(function*() {
  const { problems, settings } = yield* Variables.read
  const open = yield* openFiles
  const warnings = [...(open.isStrict ? [] : open.checks), ...misspelt(yield* Variables.unread)]
  const proxy = yield* Proxy.problem
  const refused = [
    ...yield* fileProblems,
    ...(open.isStrict ? open.checks : []),
    ...(proxy === undefined
      ? []
      : [Check.failed("configuration", proxy, "Correct the variable, and run doctor again.")])
  ]
  const inputs = yield* InputSetting.problems
  if (settings === undefined) {
    return { settings, checks: [...refused, ...yield* broken([...problems, ...inputs]), ...warnings] }
  }
  // A broken file may mean anything and come from anybody: the key may be meant for another exchange.
  if (refused.length > 0) return { settings: undefined, checks: [...refused, ...yield* broken(inputs), ...warnings] }
  return { settings, checks: [yield* told(settings), ...yield* broken(inputs), ...plainHttp(settings), ...warnings] }
})

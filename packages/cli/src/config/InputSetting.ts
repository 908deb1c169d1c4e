/** Checks the settings that no library reads: a zone, a form of reports, the name of a file. */
import * as Receiver from "@tallystick/archive/Receiver"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Failure from "../Failure.ts"
import * as Moment from "../text/Moment.ts"
import * as Configured from "./Configured.ts"
import * as FieldMap from "./FieldMap.ts"
import * as NotifyCommand from "./NotifyCommand.ts"
import * as ReportFormat from "./ReportFormat.ts"
import * as Setting from "./Setting.ts"

/** Whether it can be read. Stdin is not looked at. */
const unreadable = (path: string) =>
  path === "-" ? Effect.undefined : FileSystem.FileSystem.use(({ access }) => access(path, { readable: true })).pipe(
    Effect.match({
      onFailure: (error) => Failure.fromPlatform(`names ${path}, which cannot be read`)(error).message,
      onSuccess: () => undefined
    })
  )

/** Why a value makes no sense, behind the name of the setting; undefined where it does, or where others judge it. */
export const problem = (setting: Setting.Setting, value: string) => {
  const { key, purpose } = setting
  if (key === "format") {
    return Effect.succeed(ReportFormat.is(value) ? undefined : `is none of ${ReportFormat.listed}`)
  }
  if (key === "maxLine") {
    const isAllowed = Setting.lineLength(value) !== undefined
    return Effect.succeed(isAllowed ? undefined : `is not valid; allowed: ${Setting.maxLine.allowed}`)
  }
  if (key === "strict") {
    return Effect.succeed(
      Setting.truth(value) === undefined ? `is not valid; allowed: ${Setting.strict.allowed}` : undefined
    )
  }
  if (key === "map") {
    return Effect.succeed(
      Result.match(FieldMap.parse(value), { onFailure: (told) => told, onSuccess: () => undefined })
    )
  }
  if (key === Setting.notices.url.key) return Effect.succeed(Receiver.problemOfUrl(value))
  if (key === Setting.notices.command.key) {
    return Effect.succeed(
      Result.match(NotifyCommand.parse(value), { onFailure: (told) => told, onSuccess: () => undefined })
    )
  }
  if (key === Setting.notices.details.key) {
    return Effect.succeed(Setting.truth(value) === undefined ? "is not valid; allowed: true or false" : undefined)
  }
  if (key === "zone") {
    return Effect.succeed(Result.match(Moment.zone(value), { onFailure: (told) => told, onSuccess: () => undefined }))
  }
  return purpose === "input" && Setting.namesFile(setting, value) ? unreadable(value) : Effect.undefined
}

/** The problems of settings that only reports use: nothing else looks at them earlier. */
export const problems = Effect.gen(function*() {
  const { format, map, prices, zone } = Setting.inputs
  const found = yield* Effect.forEach(
    [
      zone,
      format,
      map,
      prices,
      Setting.notices.url,
      Setting.notices.command,
      Setting.notices.details,
      Setting.maxLine,
      Setting.strict
    ],
    Effect.fnUntraced(function*(setting) {
      const { variable } = setting
      const configured = yield* Configured.value(variable)
      const told = configured === undefined ? undefined : yield* problem(setting, configured.value)
      return told === undefined ? [] : [new BrokerConfig.ConfigurationError({ variable, problem: told })]
    })
  )
  return found.flat()
})

/** The receivers of notices that a command was told, and what became of the notices for them. */
import type { NoticeError } from "@tallystick/archive/NoticeError"
import * as Notices from "@tallystick/archive/Notices"
import * as Receiver from "@tallystick/archive/Receiver"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Configured from "../config/Configured.ts"
import * as NotifyCommand from "../config/NotifyCommand.ts"
import * as OpenFiles from "../config/OpenFiles.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import * as Inputs from "../flags/Inputs.ts"
import type { Flags } from "../flags/NotifyFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as NoticeText from "./NoticeText.ts"
import * as NoticeWay from "./NoticeWay.ts"

const { command: ofCommand, details: ofDetails, token: ofToken, url: ofUrl } = Setting.notices

/** The flag, or the setting that says the same. */
const nameOf = Effect.fnUntraced(function*(value: Option.Option<string>, setting: Setting.Setting) {
  return (yield* Inputs.isGiven(value, setting)) ? `--${setting.flag}` : yield* Configured.nameOf(setting.variable)
})

/** The token itself, or the text of the file that holds it. */
const token = Effect.gen(function*() {
  const direct = yield* Configured.value(ofToken.variable)
  if (direct !== undefined) return Redacted.make(direct.value, { label: ofToken.variable })
  const setting = Setting.settings.find((setting) => Setting.isKeyFile(setting) && setting.choice === ofToken.choice)
  const path = setting === undefined ? undefined : yield* Configured.value(setting.variable)
  if (setting === undefined || path === undefined) return undefined
  yield* Effect.flatMap(OpenFiles.ofKey(setting), OpenFiles.judged)
  const name = yield* Configured.nameOf(setting.variable)
  const text = yield* FileSystem.FileSystem.use(({ readFileString }) => readFileString(path.value)).pipe(
    Effect.mapError(Failure.fromPlatform(`${name} names ${path.value}, which cannot be read`))
  )
  return text.trim() === ""
    ? yield* Failure.usage(`${name} names ${path.value}, which is empty`)
    : Redacted.make(text.trim(), { label: setting.variable })
})

/** Whether notices name sub-accounts: by the flag or by the setting. */
const hasDetails = Effect.fnUntraced(function*({ notifyDetails }: Flags) {
  if (notifyDetails) return true
  const said = (yield* Configured.value(ofDetails.variable))?.value ?? ofDetails.fallback
  return Setting.truth(said) ??
    (yield* Failure.usage(`${yield* Configured.nameOf(ofDetails.variable)} is not valid; allowed: true or false`))
})

const ofAddress = Effect.fnUntraced(function*(flags: Flags, url: string, details: boolean) {
  const name = yield* nameOf(flags.notifyUrl, ofUrl)
  const secret = yield* token
  const refused = ({ message, reason }: NoticeError): Failure.Failure =>
    reason._tag !== "InvalidReceiver"
      ? Failure.usage(message)
      : Failure.usage(`${reason.of === "token" ? ofToken.variable : name} ${reason.problem}`)
  const receiver = yield* Effect.mapError(
    Receiver.url({ url, details, ...(secret === undefined ? {} : { token: secret }) }),
    refused
  )
  return yield* NoticeWay.of(receiver)
})

const ofProgram = Effect.fnUntraced(function*(flags: Flags, text: string, details: boolean) {
  const command = NotifyCommand.parse(text)
  if (Result.isFailure(command)) {
    return yield* Failure.usage(`${yield* nameOf(flags.notifyCommand, ofCommand)} ${command.failure}`)
  }
  // The address may be a secret, as that of a chat's hook.
  return yield* Receiver.command({ command: command.success, details, withhold: [ofToken.variable, ofUrl.variable] })
})

/** Refuses the flags where a command makes no notices without another one, which `needed` names. Settings are left alone. */
export const none = Effect.fnUntraced(function*(
  { notifyCommand, notifyDetails, notifyUrl }: Flags,
  needed: string
): Effect.fn.Return<void, Failure.Failure> {
  const given = [
    ...((yield* Inputs.isGiven(notifyUrl, ofUrl)) ? [ofUrl.flag] : []),
    ...((yield* Inputs.isGiven(notifyCommand, ofCommand)) ? [ofCommand.flag] : []),
    ...(notifyDetails ? [ofDetails.flag] : [])
  ]
  return given.length > 0
    ? yield* Failure.usage(`--${given[0]} is about notices, which come with ${needed}: give it too`)
    : undefined
})

/** The receivers that flags and settings name. */
export const make = Effect.fnUntraced(function*(flags: Flags) {
  const { notifyCommand, notifyUrl } = flags
  const details = yield* hasDetails(flags)
  if (Option.isNone(notifyUrl) && Option.isNone(notifyCommand)) {
    return flags.notifyDetails
      ? yield* Failure.usage("--notify-details says what notices hold: give --notify-url or --notify-command with it")
      : []
  }
  const address = Option.isSome(notifyUrl) ? [yield* ofAddress(flags, notifyUrl.value, details)] : []
  const program = Option.isSome(notifyCommand) ? [yield* ofProgram(flags, notifyCommand.value, details)] : []
  return [...address, ...program]
})

/** Complains of whatever went wrong, and goes on: notices change nothing of what the command is for. */
export const unlessInterrupted =
  (words: string) => <E extends { readonly message: string }, R>(effect: Effect.Effect<void, E, R>) =>
    Effect.catchCause(effect, (cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.interrupt
      const told = Option.match(Cause.findErrorOption(cause), {
        onNone: () => "an internal error",
        onSome: ({ message }) => message
      })
      return Stderr.complain(`${words}: ${told}`)
    })

/** Sends what waits, and tells what became of it. Nothing that a receiver or the archive does here changes how the command ends. */
export const deliver = Effect.fnUntraced(
  function*(receivers: ReadonlyArray<Receiver.Receiver>) {
    const { deliver, expireOthers } = yield* Notices.Notices
    const abandoned = NoticeText.abandoned(yield* expireOthers(receivers))
    if (abandoned.length > 0) yield* Stderr.complain(...abandoned)
    for (const delivered of yield* deliver(receivers)) {
      const { complaints, news } = NoticeText.delivered(delivered)
      if (news.length > 0) yield* Stderr.say(...news)
      if (complaints.length > 0) yield* Stderr.complain(...complaints)
    }
  },
  unlessInterrupted("notices wait for the next run")
)

/** The work of `tallystick keys create`. */
import * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type * as SubAccountApiKey from "@tallystick/core/SubAccountApiKey"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as KeyRequest from "../network/KeyRequest.ts"
import * as LostKey from "../network/LostKey.ts"
import * as Output from "../output/Output.ts"
import * as SecretFile from "../output/SecretFile.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags {
  readonly subAccount: string
  readonly permissions: string
  readonly note: string
  readonly ip: Option.Option<string>
  readonly out: Option.Option<string>
  readonly showSecret: boolean
}

const list = (text: string): ReadonlyArray<string> =>
  text.split(",").map((part) => part.trim()).filter((part) => part !== "")

/** The one place where the secret is taken out of its wrapping. */
const written = (key: SubAccountApiKey.SubAccountApiKey): string =>
  `${SafeJson.stringify({ ...key, secretKey: Redacted.value(key.secretKey) }, 2)}\n`

const request = Effect.fnUntraced(function*(flags: Flags) {
  const broker = yield* Broker.Broker
  return yield* broker.createApiKey({
    subAccount: flags.subAccount,
    permissions: list(flags.permissions),
    note: flags.note,
    ip: Option.match(flags.ip, { onNone: () => [], onSome: list })
  })
})

/** The fate of key and secret: the place where they are, and the problem with it. */
interface Kept {
  readonly place?: string
  readonly problem?: string
}

/** The file is made sure of before the key is asked for: a secret that cannot be kept must not be made. */
const intoFile = (path: string, flags: Flags) =>
  Effect.uninterruptibleMask(Effect.fnUntraced(function*(restore) {
    const { keep } = yield* SecretFile.reserve(path)
    const key = yield* restore(request(flags))
    const kept = yield* Effect.match(keep(written(key)), {
      onFailure: (error): Kept => ({ problem: Failure.fromCreation(`${path} cannot be written`)(error).message }),
      onSuccess: (place): Kept => ({
        place: `in ${place}`,
        ...(place === path ? {} : { problem: `${path} was made by somebody else meanwhile` })
      })
    })
    return { key, kept }
  }, Effect.scoped))

const ontoStdout = (key: SubAccountApiKey.SubAccountApiKey) =>
  Effect.match(Output.toStdout(Stream.make(written(key))), {
    onFailure: ({ message }): Kept => ({ problem: message }),
    onSuccess: (): Kept => ({ place: "on stdout" })
  })

const make = Effect.fnUntraced(function*(flags: Flags) {
  const { note, out, showSecret, subAccount } = flags
  const { kept, key } = yield* Option.match(out, {
    onNone: () => Effect.map(request(flags), (key) => ({ key, kept: {} })),
    onSome: (path) => intoFile(path, flags)
  })
  const all: ReadonlyArray<Kept> = showSecret ? [kept, yield* ontoStdout(key)] : [kept]
  const places = all.flatMap(({ place }) => place ?? [])
  const problems = all.flatMap(({ problem }) => problem ?? [])
  const where = places.length === 0
    ? `, so its secret is lost: delete the key with the note ${SafeJson.stringify(note)}`
    : `; key and secret are ${Text.listed(places)}`
  if (problems.length > 0) return yield* Failure.unfinished(`The key was made, but ${Text.listed(problems)}${where}`)
  return yield* Stderr.say(`A key of ${subAccount} was made, with the note ${SafeJson.stringify(note)}${where}`)
})

/** The failure of a request; where nobody knows whether it made a key, with what the exchange's list of keys tells. */
const failed = (begunAt: number) =>
  Effect.fnUntraced(function*(error: BrokerError.CreateApiKeyError) {
    const failure = Failure.fromBroker(error)
    if (error.reason._tag !== "OutcomeUnknown") return yield* failure
    const told = yield* LostKey.told({ ...error.reason, begunAt }).pipe(
      Effect.onInterrupt(() => Stderr.complain(`tallystick: ${failure.message}`))
    )
    return yield* Failure.unfinished(failure.message, told)
  })

export const run = Effect.fnUntraced(function*(flags: Flags) {
  if (Option.isNone(flags.out) && !flags.showSecret) {
    return yield* Failure.usage(
      "The service shows a secret once: say where it goes, with --out FILE or --show-secret"
    )
  }
  const begunAt = yield* Clock.currentTimeMillis
  return yield* Effect.catchTag(KeyRequest.run(make(flags)), "BrokerError", failed(begunAt))
})

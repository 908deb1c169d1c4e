/** `tallystick keys create`: an API key for a sub-account, its secret in one place only. */
import * as Broker from "@tallystick/core/Broker"
import type * as SubAccountApiKey from "@tallystick/core/SubAccountApiKey"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as KeyRequest from "../network/KeyRequest.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Output from "../output/Output.ts"
import * as SecretFile from "../output/SecretFile.ts"
import * as Stderr from "../terminal/Stderr.ts"

const flags = {
  subAccount: Flag.String("sub-account").pipe(Flag.withMetavar("NAME"), Flag.withDescription("Whose key it will be")),
  permissions: Flag.String("permissions").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription("Names, separated by commas: SPOT_ACCOUNT_READ,SPOT_DEAL_WRITE")
  ),
  note: Flag.String("note").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withDescription("Make it unique: by its note a key is found again whose answer was lost")
  ),
  ip: Flag.String("ip").pipe(
    Flag.withMetavar("A,B"),
    Flag.withDescription("Addresses that the key is linked to, separated by commas; at most 20"),
    Flag.optional
  ),
  out: FileFlag.written("out").pipe(
    Flag.withSchema(Schema.NonEmptyString),
    Flag.withDescription("Write the key and its secret to a new file that only you may read"),
    Flag.optional
  ),
  showSecret: Flag.Boolean("show-secret").pipe(
    Flag.withDescription("Print the key and its secret to stdout"),
    Flag.withDefault(false)
  )
}

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
  }).pipe(Effect.mapError(Failure.fromBroker))
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

const run = (flags: Flags) =>
  Option.isNone(flags.out) && !flags.showSecret
    ? Effect.fail(
      Failure.usage("The service shows a secret once: say where it goes, with --out FILE or --show-secret")
    )
    : KeyRequest.run(make(flags))

const create = Command.make("create", flags, Telemetry.command("keys create", run)).pipe(
  Command.withDescription(
    "Make an API key for a sub-account. Asked for at most once: when the answer is lost, the message says how to find out " +
      "whether the key was made."
  ),
  Command.withExamples([
    {
      command:
        "tallystick keys create --sub-account sub00001 --permissions SPOT_ACCOUNT_READ --note sweeper-7 --out key.json",
      description: "Keep the secret in a new file that only you may read"
    }
  ])
)

export const command = Command.make("keys").pipe(
  Command.withDescription("API keys of sub-accounts"),
  Command.withSubcommands([create])
)

/** `tallystick sandbox`: the exchange as a local server, with a generated history, until Ctrl-C. */
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Server from "@tallystick/sandbox/Server"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as SettingFile from "../files/SettingFile.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as SandboxFlags from "../flags/SandboxFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"

const flags = {
  port: SandboxFlags.port,
  seed: SandboxFlags.seed,
  deposits: SandboxFlags.deposits,
  faults: SandboxFlags.faults,
  addresses: FileFlag.written("addresses-out").pipe(
    Flag.withDescription("Write the address book of the history, for reconcile --addresses"),
    Flag.optional
  )
}

interface Flags {
  readonly port: number
  readonly seed: number
  readonly deposits: number
  readonly faults: Option.Option<string>
  readonly addresses: Option.Option<string>
}

const serve = Effect.fnUntraced(function*(addresses: Option.Option<string>) {
  const { apiKey, baseUrl, history, secretKey } = yield* Sandbox.Sandbox
  if (Option.isSome(addresses)) {
    yield* Output.toFile(addresses.value, Stream.make(`${JSON.stringify(history.addressBook, undefined, 1)}\n`))
  }
  yield* Stderr.say(
    `${history.deposits.length} deposits and ${history.transfers.length} transfers of ${history.subAccounts.length} ` +
      "sub-accounts; these credentials open nothing but this sandbox. Ctrl-C stops it."
  )
  yield* Stderr.say(
    `A browser shows what it answers at ${Server.docsUrl(baseUrl)}; its faults are read and changed at ${
      Server.faultsUrl(baseUrl)
    }.`
  )
  yield* Output.toStdout(Stream.make(
    [
      `TALLYSTICK_BASE_URL=${baseUrl}`,
      `TALLYSTICK_API_KEY=${Redacted.value(apiKey)}`,
      `TALLYSTICK_SECRET_KEY=${Redacted.value(secretKey)}`,
      ""
    ].join("\n")
  ))
  return yield* Effect.never
})

const run = Effect.fnUntraced(function*({ addresses, deposits, faults, port, seed }: Flags) {
  const options = { port, history: { seed, deposits }, faults: yield* SettingFile.faults(faults) }
  return yield* Effect.provide(serve(addresses), SandboxFlags.layer(options))
})

export const command = Command.make("sandbox", flags, Telemetry.command("sandbox", run)).pipe(
  Command.withDescription(
    "Run the sandbox on 127.0.0.1 until Ctrl-C. Prints the base URL and test credentials as environment lines."
  ),
  Command.withExamples([
    {
      command: "tallystick sandbox --port 8089 --addresses-out addresses.json",
      description: "Then, in another terminal, reconcile"
    },
    {
      command: "tallystick sandbox --port 8089 --faults faults.json",
      description: "A server that misbehaves as the file says"
    }
  ])
)

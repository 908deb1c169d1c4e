/** The work of `tallystick sandbox`. */
import * as Text from "@tallystick/report/text/Text"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Server from "@tallystick/sandbox/Server"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as SettingFile from "../files/SettingFile.ts"
import * as LocalSandbox from "../network/LocalSandbox.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"

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
    `${Text.counted(history.deposits.length, "deposit")} and ${
      Text.counted(history.transfers.length, "transfer")
    } of ` +
      `${
        Text.counted(history.subAccounts.length, "sub-account")
      }; these credentials open nothing but this sandbox. Ctrl-C stops it.`
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

export const run = Effect.fnUntraced(function*({ addresses, deposits, faults, port, seed }: Flags) {
  const options = { port, history: { seed, deposits }, faults: yield* SettingFile.faults(faults) }
  return yield* Effect.provide(serve(addresses), LocalSandbox.layer(options))
})

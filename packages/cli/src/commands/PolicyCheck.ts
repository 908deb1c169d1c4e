/** `tallystick policy check`: whether a policy file is valid, and what it says. */
import * as Mirror from "@tallystick/reconcile/Mirror"
import * as Policy from "@tallystick/reconcile/Policy"
import * as PolicyText from "@tallystick/report/PolicyText"
import * as MirrorText from "@tallystick/report/text/MirrorText"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as EntryFile from "../files/EntryFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Fallback from "../flags/Fallback.ts"
import * as FileFlag from "../flags/FileFlag.ts"
import * as InputFlags from "../flags/InputFlags.ts"
import { out } from "../flags/OutFlag.ts"
import * as Telemetry from "../network/Telemetry.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"

const flags = {
  file: FileFlag.argument("file").pipe(
    Argument.withDescription("The policy, as JSON; - is stdin")
  ),
  format: Flag.Literals("format", ["text", "json"]).pipe(
    Flag.withDescription("In words, or as JSON with every default filled in"),
    Fallback.value("text")
  ),
  deposits: InputFlags.file("deposits", "With --transfers: count what the policy finds there by chance alone"),
  transfers: InputFlags.file("transfers", "With --deposits"),
  accounts: InputFlags.file("accounts", "With the files: sub-accounts, as `reconcile` reads them"),
  addresses: InputFlags.file("addresses", "With the files: whose a deposit address is, as `reconcile` reads them"),
  out
}

interface Flags extends Pick<InputFlags.Flags, "deposits" | "transfers" | "accounts" | "addresses"> {
  readonly file: string
  readonly format: "text" | "json"
  readonly out: Option.Option<string>
}

const text = Effect.fnUntraced(function*(policy: Policy.Policy, format: Flags["format"], out: Option.Option<string>) {
  if (format === "json") return `${SafeJson.stringify(Policy.resolve(policy), 2)}\n`
  return PolicyText.render(policy, yield* ReportOutput.look(out))
})

/** Matches that the policy would find in the files by chance, if there are files. The measure ends where they do, so they need no range. */
const chance = Effect.fnUntraced(function*(flags: Flags, written: Policy.Policy) {
  const { accounts, addresses, deposits, file, transfers } = flags
  yield* InputFlags.oneStdin({ policy: Option.some(file), deposits, transfers, accounts, addresses })
  if (Option.isNone(deposits) && Option.isNone(transfers)) return []
  if (Option.isNone(deposits) || Option.isNone(transfers)) {
    return yield* Failure.usage("--deposits FILE and --transfers FILE go together: chance is counted in both")
  }
  const settings = yield* InputFlags.settings(flags)
  const policy = Policy.resolve(written)
  const everything = { from: undefined, to: undefined, zone: undefined }
  const reading = { ...InputFlags.reading(settings, everything, { complete: true }), policy }
  const left = yield* EntryFile.read("deposit", deposits.value, reading)
  const right = yield* EntryFile.read("transfer", transfers.value, reading)
  const sides = EntryFile.both(left, right)
  const mirror = yield* EntryFile.matching(left, right)(
    Effect.sync(() => Mirror.measure({ ...settings, ...sides, policy }))
  )
  const bad = sides.bad.length
  return [
    `Chance: ${MirrorText.sentence(mirror)}`,
    ...(bad === 0 ? [] : [`warning: ${Text.counted(bad, "record")} could not be read`])
  ]
})

const run = Effect.fnUntraced(function*(flags: Flags) {
  const { file, format, out } = flags
  const { name, policy } = yield* SettingFile.written(file)
  const found = yield* chance(flags, policy)
  yield* Output.write(out, Stream.make(yield* text(policy, format, out)))
  const warnings = PolicyText.warnings(policy)
  yield* Effect.forEach(warnings, ({ message, path }) => Stderr.say(`warning: ${name}: ${path}: ${message}`), {
    discard: true
  })
  yield* Effect.forEach(found, (sentence) => Stderr.tell(sentence), { discard: true })
  return yield* Stderr.say(`${name} is a valid policy`)
})

const check = Command.make("check", flags, Telemetry.command("policy check", run)).pipe(
  Command.withShortDescription("Check a policy file, and say in words what it allows"),
  Command.withDescription(
    "Check a policy file, and say in words what it allows: every setting, whether the file says it or not. Exits with 0 " +
      "when the policy is valid, 2 when not; then every mistake is named with its place."
  ),
  Command.withExamples([
    { command: "tallystick policy check policy.json", description: "In words" },
    { command: "echo {} | tallystick policy check - --format json", description: "The defaults" }
  ])
)

export const command = Command.make("policy").pipe(
  Command.withDescription("Policies: what may belong together"),
  Command.withSubcommands([check])
)

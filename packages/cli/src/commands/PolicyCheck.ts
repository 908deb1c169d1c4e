/** `tallystick policy check`: whether a policy file is valid, and what it says. */
import * as Policy from "@tallystick/reconcile/Policy"
import * as PolicyText from "@tallystick/reconcile/PolicyText"
import * as SafeJson from "@tallystick/reconcile/render/SafeJson"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Fallback from "../Fallback.ts"
import * as FileFlag from "../FileFlag.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Notice from "../Notice.ts"
import { out } from "../OutFlag.ts"
import * as Output from "../Output.ts"
import * as ReportOutput from "../ReportOutput.ts"
import * as Telemetry from "../Telemetry.ts"

const flags = {
  file: FileFlag.argument("file").pipe(
    Argument.withDescription("The policy, as JSON; - is stdin")
  ),
  format: Flag.Literals("format", ["text", "json"]).pipe(
    Flag.withDescription("In words, or as JSON with every default filled in"),
    Fallback.value("text")
  ),
  out
}

interface Flags {
  readonly file: string
  readonly format: "text" | "json"
  readonly out: Option.Option<string>
}

const text = Effect.fnUntraced(function*(policy: Policy.Policy, format: Flags["format"], out: Option.Option<string>) {
  if (format === "json") return `${SafeJson.stringify(Policy.resolve(policy), 2)}\n`
  return PolicyText.render(policy, yield* ReportOutput.look(out))
})

const run = Effect.fnUntraced(function*({ file, format, out }: Flags) {
  const { name, policy } = yield* SettingFile.written(file)
  yield* Output.write(out, Stream.make(yield* text(policy, format, out)))
  const warnings = PolicyText.warnings(policy)
  yield* Effect.forEach(warnings, ({ message, path }) => Notice.say(`warning: ${name}: ${path}: ${message}`), {
    discard: true
  })
  return yield* Notice.say(`${name} is a valid policy`)
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

/** The work of `tallystick policy check`. */
import * as Mirror from "@tallystick/reconcile/Mirror"
import * as Policy from "@tallystick/reconcile/Policy"
import * as PolicyText from "@tallystick/report/PolicyText"
import * as MirrorText from "@tallystick/report/text/MirrorText"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as EntryFile from "../files/EntryFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import * as Inputs from "../flags/Inputs.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends Pick<InputFlags.Flags, "deposits" | "transfers" | "map" | "accounts" | "addresses"> {
  readonly file: string
  readonly format: "text" | "json"
  readonly out: Option.Option<string>
}

const text = Effect.fnUntraced(function*(policy: Policy.Decoded, format: Flags["format"], out: Option.Option<string>) {
  if (format === "json") return `${SafeJson.stringify(Policy.resolve(policy), 2)}\n`
  return PolicyText.render(policy, yield* ReportOutput.look(out))
})

/** Matches that the policy would find in the files by chance, if there are files. The measure ends where they do, so they need no range. */
const chance = Effect.fnUntraced(function*(flags: Flags, written: Policy.Decoded) {
  const { accounts, addresses, deposits, file, transfers } = flags
  yield* Inputs.oneStdin({ policy: Option.some(file), deposits, transfers, accounts, addresses })
  if (Option.isNone(deposits) && Option.isNone(transfers)) return []
  if (Option.isNone(deposits) || Option.isNone(transfers)) {
    return yield* Failure.usage("--deposits FILE and --transfers FILE go together: chance is counted in both")
  }
  const settings = yield* Inputs.settings(flags)
  const policy = Policy.resolve(written)
  const everything = { from: undefined, to: undefined, zone: undefined }
  const reading = { ...Inputs.reading(settings, everything, { complete: true }, yield* Inputs.maps(flags)), policy }
  const left = yield* EntryFile.read("deposit", deposits.value, reading)
  const right = yield* EntryFile.read("transfer", transfers.value, reading)
  const sides = EntryFile.both(left, right)
  const mirror = yield* EntryFile.matching(left, right)(() =>
    Effect.sync(() => Mirror.measure({ ...settings, ...sides, policy }))
  )
  const bad = sides.bad.length
  return [
    `Chance: ${MirrorText.sentence(mirror)}`,
    ...(bad === 0 ? [] : [`warning: ${Text.counted(bad, "record")} could not be read`])
  ]
})

export const run = Effect.fnUntraced(function*(flags: Flags) {
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

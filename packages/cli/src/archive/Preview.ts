/** `decide --dry-run`: what reports would say if these decisions were made, beside what they say now. */
import * as Archive from "@tallystick/archive/Archive"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Books from "@tallystick/archive/Books"
import * as Decision from "@tallystick/archive/Decision"
import * as Decisions from "@tallystick/archive/Decisions"
import * as Backtest from "@tallystick/reconcile/Backtest"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as Report from "@tallystick/reconcile/Report"
import * as BacktestJson from "@tallystick/report/BacktestJson"
import * as BacktestTable from "@tallystick/report/BacktestTable"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import * as Inputs from "../flags/Inputs.ts"
import type { Format } from "../flags/OutFlag.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as KnownAccounts from "./KnownAccounts.ts"

interface Flags extends Pick<InputFlags.Flags, "accounts" | "addresses" | "policy" | "zone"> {
  readonly format: Format
  readonly out: Option.Option<string>
}

/** The times of the entries that reports would say something else of. */
const times = Effect.fnUntraced(function*(decided: ReadonlyArray<Decision.Decision>) {
  const meant = new Set(
    decided.flatMap(({ body }) => body.kind === "revoke" || body.kind === "approve" ? [body.decision] : [])
  )
  const all = meant.size === 0 ? [] : yield* Decisions.Decisions.use(({ all }) => all)
  return [...decided, ...all.filter(({ body }) => meant.has(body.number))]
    .flatMap(({ body }) => Decision.isFollowed(body) ? body.entries : [])
    .map(({ at }) => at)
})

/** Says which decisions reports cannot follow under a policy, although the ledger has them. */
export const faults = Effect.fnUntraced(function*(
  policy: Policy.Resolved,
  decided: ReadonlyArray<Decision.Decision>
) {
  const known = yield* times(decided)
  if (known.length === 0) return []
  const interval = { from: Math.min(...known), to: Math.max(...known) + 1 }
  const { faults } = yield* Archive.Archive.use(({ overlay }) => overlay(policy, interval))
  const numbers = new Set(decided.map(({ body }) => body.number))
  return faults.flatMap(({ decision, text }) => numbers.has(decision) ? [text] : [])
})

const otherwise = {
  policy: "followed another policy",
  accounts: "was about other accounts",
  addresses: "knew other addresses"
}

/** Warns where the comparison is of another question than the books. */
const warnings = Effect.fnUntraced(function*(report: Report.Summary) {
  const found = yield* Books.Books.use(({ differing }) => differing(report))
  if (Option.isNone(found) || found.value.of.length === 0) return []
  const { execution, of } = found.value
  return [
    `The last execution of the books (${execution}) ${
      Text.listed(of.map((one) => otherwise[one]))
    }: the books may say ` +
    "something else than both sides of this comparison."
  ]
})

/** Compares the reports over the time in which the entries that were decided on may have counterparts. */
export const write = Effect.fnUntraced(function*(flags: Flags, decided: ReadonlyArray<Decision.Decision>) {
  const zone = yield* AskedRange.zone(flags.zone)
  const said = `${Text.counted(decided.length, "decision")} would be made; nothing was decided`
  const known = yield* times(decided)
  if (known.length === 0) return yield* Stderr.say(`${said}; no report would change`)
  const { accounts: told, ...settings } = yield* Inputs.told(flags)
  const isTold = Option.isSome(flags.accounts) || Option.isSome(flags.addresses)
  const policy = yield* SettingFile.policy(flags.policy)
  const reach = Policy.horizon(policy)
  const range = { from: Math.max(Math.min(...known) - reach, 0), to: Math.max(...known) + reach + 1 }
  const accounts = SettingFile.isOfService(told)
    ? yield* KnownAccounts.inPlaceOfService(told, range.from - reach)
    : isTold
    ? told
    : yield* KnownAccounts.read
  const options = { ...settings, policy, accounts, range }
  const report = (proposed: ReadonlyArray<Decision.Body>) =>
    ArchiveReconciliation.run({ ...options, proposed }).pipe(
      Inputs.refusedPolicy(flags.policy),
      Effect.catchTag("InvalidRange", (error) => Effect.fail(Failure.fromRange(error)))
    )
  const [before, after] = [yield* report([]), yield* report(decided.map(({ body }) => body))]
  const more = yield* warnings(before)
  const warned = (one: Report.Report): Report.Report => ({ ...one, warnings: [...more, ...one.warnings] })
  const backtest = Backtest.compare(warned(before), warned(after))
  yield* Output.write(
    flags.out,
    flags.format === "json"
      ? Stream.fromIterable(BacktestJson.parts(backtest))
      : Stream.make(BacktestTable.render(backtest, { ...(yield* ReportOutput.look(flags.out)), zone }))
  )
  return yield* Stderr.say(`${said}; ${BacktestTable.sentence(backtest)}`)
})

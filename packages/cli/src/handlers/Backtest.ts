/** The work of `tallystick backtest`. */
import * as Backtest from "@tallystick/reconcile/Backtest"
import * as Mirror from "@tallystick/reconcile/Mirror"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Report from "@tallystick/reconcile/Report"
import * as BacktestJson from "@tallystick/report/BacktestJson"
import * as BacktestTable from "@tallystick/report/BacktestTable"
import * as Verdict from "@tallystick/report/Verdict"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as EntryFile from "../files/EntryFile.ts"
import * as InputFile from "../files/InputFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as InputFlags from "../flags/InputFlags.ts"
import * as Inputs from "../flags/Inputs.ts"
import type { Format } from "../flags/OutFlag.ts"
import * as Output from "../output/Output.ts"
import * as ReportOutput from "../output/ReportOutput.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends InputFlags.Flags {
  readonly against: Option.Option<string>
  readonly format: Format
  readonly out: Option.Option<string>
}

const required = (flag: string, path: Option.Option<string>): Effect.Effect<string, Failure.Failure> =>
  Effect.mapError(
    Effect.fromOption(path),
    () => Failure.usage(`--${flag} FILE is missing: a backtest reads --deposits, --transfers and --against`)
  )

export const run = Effect.fnUntraced(function*(flags: Flags) {
  const { accounts, addresses, against, deposits, policy, transfers } = flags
  const paths = {
    deposits: yield* required("deposits", deposits),
    transfers: yield* required("transfers", transfers),
    against: yield* required("against", against)
  }
  const asked = yield* AskedRange.asked(flags)
  const range = yield* Inputs.range(asked)
  yield* Inputs.oneStdin({ deposits, transfers, policy, against, accounts, addresses })
  yield* Output.ready(flags.out)
  const settings = yield* Inputs.settings(flags)
  const maps = yield* Inputs.maps(flags)
  const policies = [
    { path: policy, rules: yield* SettingFile.policy(policy) },
    { path: against, rules: yield* SettingFile.policy(against) }
  ] as const
  const files = {
    deposits: yield* InputFile.records(paths.deposits),
    transfers: yield* InputFile.records(paths.transfers)
  }

  // The policy says what a status word means, so each policy reads the files for itself.
  const reportUnder = Effect.fnUntraced(function*({ path, rules }: typeof policies[number]) {
    const reading = { ...Inputs.reading(settings, asked, flags, maps), policy: rules }
    const left = yield* EntryFile.shown("deposit", paths.deposits, files.deposits, reading)
    const right = yield* EntryFile.shown("transfer", paths.transfers, files.transfers, reading)
    const report = yield* EntryFile.matching(left, right)((onProgress) =>
      Reconciliation.reconcile(Stream.make(left.slice), Stream.make(right.slice), {
        ...settings,
        ...range,
        policy: rules,
        onProgress
      })
    ).pipe(
      Effect.catchTags({
        InvalidSlice: Effect.die,
        InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
      }),
      Inputs.refusedPolicy(path)
    )
    const chance = yield* EntryFile.matching(left, right)(() =>
      Effect.sync(() => Mirror.measure({ ...settings, ...EntryFile.both(left, right), policy: rules }))
    )
    return { ...report, chance }
  })
  const before = yield* reportUnder(policies[0])
  const after = yield* reportUnder(policies[1])
  const backtest = Backtest.compare(before, after)

  yield* Output.write(
    flags.out,
    flags.format === "json"
      ? Stream.fromIterable(BacktestJson.parts(backtest))
      : Stream.make(BacktestTable.render(backtest, { ...(yield* ReportOutput.look(flags.out)), zone: asked.zone }))
  )
  // Books of which nothing was read do not change either, and that says nothing about the policy.
  if (Report.operationsUnread(before).length > 0) return yield* Failure.unfinished(Verdict.sentence(before))
  const sentence = BacktestTable.sentence(backtest)
  return backtest.entries.changed === 0 ? yield* Stderr.say(sentence) : yield* Failure.notClean(sentence)
})

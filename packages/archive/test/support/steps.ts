/** Records that arrive, and days that are reconciled. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Archive from "../../src/Archive.ts"
import { deposit, NOW, transfer } from "./records.ts"

const HOUR = 3_600_000
export const DAY = 24 * HOUR
export const DAYS = 3

const whole = { from: NOW - DAY, to: NOW + (DAYS + 1) * DAY }

const Between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Records arrive, of some day, hour and amount; or some days are reconciled. */
export const Step = Schema.Union([
  Schema.Struct({
    kind: Schema.Literals(["deposit", "transfer"]),
    hour: Between(0, 24 * DAYS - 1),
    amount: Between(1, 3),
    isSettled: Schema.Boolean
  }),
  Schema.Struct({ kind: Schema.Literal("execution"), from: Between(0, DAYS - 1), days: Between(1, DAYS) })
])

/** Each record is of one of these assets, as its hour says. */
const records = (steps: ReadonlyArray<typeof Step.Type>, assets: readonly [string, ...Array<string>]) => ({
  deposits: steps.flatMap((step, index) =>
    step.kind === "deposit"
      ? [
        deposit({
          txId: `d${index}`,
          coin: assets[step.hour % assets.length] ?? assets[0],
          insertTime: NOW + step.hour * HOUR + index,
          amount: String(step.amount),
          status: step.isSettled ? 5 : 1
        })
      ]
      : []
  ),
  transfers: steps.flatMap((step, index) =>
    step.kind === "transfer"
      ? [
        transfer({
          tranId: `t${index}`,
          asset: assets[step.hour % assets.length] ?? assets[0],
          timestamp: NOW + step.hour * HOUR + index,
          amount: String(step.amount),
          status: step.isSettled ? "SUCCESS" : "FAILED"
        })
      ]
      : []
  )
})

/** Everything that arrived so far is read, and proven to be all. */
export const read = Effect.fnUntraced(function*(
  steps: ReadonlyArray<typeof Step.Type>,
  assets: readonly [string, ...Array<string>] = ["USDT"]
) {
  const archive = yield* Archive.Archive
  const { deposits, transfers } = records(steps, assets)
  const readAt = NOW + (DAYS + 5) * DAY + steps.length * HOUR
  const slice = { ...whole, bad: [] }
  const complete = { ...whole, readAt, state: "complete" as const }
  yield* archive.deposits.saveSlice({
    ...slice,
    records: deposits,
    coverage: [{ operation: "deposits", ...complete }]
  })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: transfers,
    coverage: [{ operation: "transfers", ...complete }]
  })
})

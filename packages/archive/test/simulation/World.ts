/** What truly happens: records that come, change, are removed and return. Times and durations are Unix ms. */
import type * as Coverage from "@tallystick/core/Coverage"
import { deposit, transfer } from "../support/records.ts"
import type * as Seeded from "../support/Seeded.ts"
import * as Side from "./Side.ts"

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export const ACCOUNTS = ["a@x", "b@x"]

/** Records older than this change no more. */
const CHANGES = 200 * HOUR

export interface Options {
  /** Deposits that nothing tells apart, some of them with another status. */
  readonly twins?: boolean
  /** How long after its own time a record is shown, at the most. */
  readonly late?: number
  /** Statuses that had ended are open again. */
  readonly regressions?: boolean
  /** Records are taken away: only while nobody reads, or also between two pages. */
  readonly removals?: "between readings" | "at any time"
  /** What was taken away is shown again within three hours. */
  readonly returns?: boolean
  /** Most deposits have one transfer of their own, of an amount that no other has, and the other way round. */
  readonly pairs?: boolean
}

export interface Truth<out Record> {
  /** As the service would show it now. */
  record: Record
  readonly shownFrom: number
  /** While it is taken away. */
  removed: Coverage.Interval | undefined
}

export interface World {
  readonly deposits: ReadonlyArray<Truth<Side.Deposit>>
  readonly transfers: ReadonlyArray<Truth<Side.Transfer>>
  /** Something comes whose own time lies in `[from, to)`. */
  readonly arrive: (from: number, to: number) => void
  /** Each open record ends with this likelihood, and what else may happen to records does more rarely. */
  readonly change: (now: number, likelihood: number, when: "between readings" | "between pages") => void
}

export const isShown = (now: number) => ({ removed, shownFrom }: Truth<unknown>): boolean =>
  shownFrom <= now && !(removed !== undefined && removed.from <= now && now < removed.to)

/** What a complete reading would show. */
export const shown = <Record>(truths: ReadonlyArray<Truth<Record>>, now: number): ReadonlyArray<Record> =>
  truths.filter(isShown(now)).map(({ record }) => record)

export const make = (random: Seeded.Seeded, options: Options): World => {
  const deposits: Array<Truth<Side.Deposit>> = []
  const transfers: Array<Truth<Side.Transfer>> = []
  let count = 0

  const shownFrom = (at: number): number => at + (options.late === undefined ? 0 : random.int(0, options.late))

  const addDeposit = (insertTime: number, amount: string): void => {
    const { open, settled } = Side.deposits
    const record = deposit({
      txId: `t${count}`,
      insertTime,
      status: random.chance(0.3) ? open : settled,
      amount
    })
    const truth = { record, shownFrom: shownFrom(insertTime), removed: undefined }
    deposits.push({ ...truth })
    for (let twins = options.twins && random.chance(0.15) ? random.int(1, 2) : 0; twins > 0; twins--) {
      deposits.push({ ...truth, record: random.chance(0.3) ? { ...record, status: open } : record })
    }
  }
  const addTransfer = (timestamp: number, amount: string): void => {
    const { open, settled } = Side.transfers
    const record = transfer({
      tranId: `s${count}`,
      fromAccount: random.pick(ACCOUNTS),
      timestamp,
      status: random.chance(0.3) ? open : settled,
      amount
    })
    transfers.push({ record, shownFrom: shownFrom(timestamp), removed: undefined })
  }
  const arrive = (from: number, to: number): void => {
    const at = random.int(from, Math.max(from, to - 1))
    count++
    if (options.pairs) {
      const amount = `${random.int(1000, 9_000_000)}.${random.int(100_000, 999_999)}${count}`
      if (random.chance(0.9)) addDeposit(at, amount)
      if (random.chance(0.9)) addTransfer(at + random.int(0, 55 * MINUTE), amount)
      return
    }
    const amount = String(1 + count % 3)
    if (random.chance(0.5)) addTransfer(at, amount)
    // Many deposits of one moment meet where the service rounds.
    else addDeposit(random.chance(0.3) ? Math.ceil(at / 10_000) * 10_000 : at, amount)
  }

  const changeSide = <Record extends { readonly status: string | number }>(
    side: Side.Side<Record>,
    truths: ReadonlyArray<Truth<Record>>,
    now: number,
    likelihood: number,
    removals: boolean
  ): void => {
    const next = (status: Record["status"]): Record["status"] => {
      if (status === side.open && random.chance(likelihood)) {
        return options.pairs || random.chance(0.8) ? side.settled : side.failed
      }
      return options.regressions && status === side.settled && random.chance(likelihood / 20) ? side.open : status
    }
    for (const truth of truths) {
      if (truth.shownFrom > now || side.at(truth.record) < now - CHANGES) continue
      const status = next(truth.record.status)
      if (status !== truth.record.status) truth.record = { ...truth.record, status }
      if (removals && truth.removed === undefined && random.chance(likelihood / 30)) {
        truth.removed = { from: now, to: options.returns ? now + random.int(1, 3 * HOUR) : Number.POSITIVE_INFINITY }
      }
    }
  }

  return {
    deposits,
    transfers,
    arrive,
    change: (now, likelihood, when) => {
      const removals = options.removals === "at any time" || options.removals === when
      changeSide(Side.deposits, deposits, now, likelihood, removals)
      changeSide(Side.transfers, transfers, now, likelihood, removals)
    }
  }
}

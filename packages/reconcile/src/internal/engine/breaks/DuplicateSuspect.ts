/** Finds open entries that look like a matched entry of their own side: the two may differ in id, time, reference and network. */
import type * as Outcome from "../../../Outcome.ts"
import * as Steps from "../../Steps.ts"
import { type DraftOf, type Others, type TakenCandidates } from "../evidence/TakenCandidates.ts"
import { at, bucket, firstNotBefore, item } from "../ledger/Column.ts"
import * as Kind from "../ledger/Kind.ts"
import * as Ledger from "../ledger/Ledger.ts"
import type { Workbench } from "../Workbench.ts"

/** The fields in which an empty text means the same as an absent one. */
const texts = ["address", "memo", "fromType", "toType"] as const

interface Twins {
  /**
   * A number that is the same for entries that are alike in all but id, time, reference and network. It is -1 for entries that nobody
   * asks about.
   */
  readonly kind: Int32Array
  readonly kinds: number
}

const twinsOf = ({ account, amountClass, entries }: Ledger.Side, classes: ReadonlySet<number>): Twins => {
  const numbers = new Map<string, number>()
  const kind = Int32Array.from(entries, (entry, index) => {
    const amount = at(amountClass, index)
    if (!classes.has(amount)) return -1
    const rest = [entry.from ?? null, entry.to ?? null, ...texts.map((field) => entry[field] ?? "")]
    const key = `${amount} ${at(account, index)} ${rest.some(Boolean) ? JSON.stringify(rest) : ""}`
    const known = numbers.get(key) ?? numbers.size
    numbers.set(key, known)
    return known
  })
  return { kind, kinds: numbers.size }
}

/** Finds the nearest entry of the same kind within reach. Of two equally near ones it takes the earlier. */
const nearest = (side: Ledger.Side, index: number, twins: Int32Array): number | undefined => {
  const [time, reach] = [at(side.at, index), side.twinsWithin(index)]
  const start = firstNotBefore(side.at, twins, time)
  const after = twins[start] === index ? start + 1 : start
  let [found, least] = [-1, reach + 1]
  for (const twin of [twins[start - 1], twins[after]]) {
    const distance = twin === undefined ? Number.POSITIVE_INFINITY : Math.abs(at(side.at, twin) - time)
    if (twin !== undefined && distance < least) [found, least] = [twin, distance]
  }
  return found < 0 ? undefined : found
}

const settleOne = (
  { doubts, finality, settle }: Workbench,
  side: Ledger.Side,
  index: number,
  twin: number,
  code: Outcome.Code,
  went: TakenCandidates
): void => {
  const other = item(side.entries, twin)
  const apartMs = at(side.at, twin) - at(side.at, index)
  settle({
    code: "duplicate-suspect",
    ...side.alone(index),
    finality: "horizon",
    candidates: [
      { side: side.side, id: other.id, because: { code: "twin", apartMs, outcome: code } },
      ...doubts.of(side.side, index),
      ...went.candidates
    ],
    because: {
      code: "matched-twin",
      id: other.id,
      apartMs,
      maySwap: went.isDoubtful || finality.isDoubtful(side.side, index)
    }
  })
}

export const duplicateSuspect = function*(bench: Workbench, draftOf: DraftOf, others: Others): Steps.Steps<void> {
  const { finality, ledger } = bench
  for (const side of [ledger.deposits, ledger.transfers]) {
    const codeOf = (index: number): Outcome.Code | undefined => draftOf(side.side, index)?.code
    const isMatched = (index: number): boolean => {
      const code = side.open[index] === 1 ? undefined : codeOf(index)
      return code !== undefined && Kind.of(code) === "matched"
    }
    const left = Array.from(side.entries.keys()).filter((index) => Ledger.isFree(side, index))
    // A tier may still release the entries that it took, and an entry that is late or ambiguous now may become open. Such an
    // entry will be compared with its twins then.
    const restless = Array.from(side.entries.keys()).filter((index) =>
      side.eligible[index] === 1 && side.open[index] === 0 &&
      (!isMatched(index) || !finality.isAtRest(side.side, index))
    )
    yield
    const classes = new Set([...left, ...restless].map((index) => at(side.amountClass, index)))
    const { kind, kinds } = twinsOf(side, classes)
    const matched = bucket(kind, kinds, isMatched)
    yield* Steps.forEach([...left, ...restless], (index) => {
      const twin = nearest(side, index, matched.of(at(kind, index)))
      if (twin !== undefined) finality.lookAmong(side.only([index, twin]))
    })
    yield* Steps.forEach(left, (index) => {
      const twin = nearest(side, index, matched.of(at(kind, index)))
      const code = twin === undefined ? undefined : codeOf(twin)
      if (twin === undefined || code === undefined || finality.postpones(side.alone(index))) return
      settleOne(bench, side, index, twin, code, others(side.side, index))
    })
  }
}

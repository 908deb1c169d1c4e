/** The facts of an outcome that somebody accepts: the decision holds as long as all of them are the same. */
import * as Amount from "@tallystick/core/Amount"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Decision from "../../Decision.ts"
import * as Contradictions from "./Contradictions.ts"
import * as Subjects from "./Subjects.ts"

export interface Facts extends Pick<Outcome.Outcome, "code" | "openCount" | "openSum" | "residual"> {
  readonly entries: ReadonlyArray<Decision.Accepted>
}

export const of = ({ code, deposits, openCount, openSum, residual, transfers }: Outcome.Outcome): Facts => ({
  code,
  residual,
  ...(openCount === undefined ? {} : { openCount }),
  ...(openSum === undefined ? {} : { openSum }),
  entries: [...deposits, ...transfers].map(({ amount, asset, at, id, past, side, status }) => {
    const conflicts = past?.conflicts?.length ?? 0
    return Object.assign({ side, id, asset, amount, at, status }, conflicts === 0 ? undefined : { conflicts })
  })
})

/** What differs, as a clause, and the entry that it names. */
interface Difference {
  readonly text: string
  readonly entry?: Decision.Accepted
}

const differs = (was: Decision.Accepted, is: Decision.Accepted): Difference | undefined => {
  const name = Contradictions.named(was)
  if (is.asset !== was.asset) return { text: `${name} is of ${is.asset} now, and was of ${was.asset}`, entry: was }
  if (Amount.canonical(is.amount) !== Amount.canonical(was.amount)) {
    return { text: `the amount of ${name} is ${is.amount} now, and was ${was.amount}`, entry: was }
  }
  if (is.at !== was.at) return { text: `${name} has another time now`, entry: was }
  if (is.conflicts !== was.conflicts) return { text: `the service told another content of ${name} since`, entry: was }
  return is.status === was.status
    ? undefined
    : { text: `${name} is ${is.status} now, and was ${was.status}`, entry: was }
}

const sumOf = (sum: string | null | undefined): string => sum ?? "not told"

/** Says what differs first; nothing where all facts are the same. */
export const difference = (was: Facts, is: Facts): Difference | undefined => {
  if (is.code !== was.code) return { text: `it is ${is.code} now` }
  const [before, now] = [was, is].map(({ entries }) => new Map(entries.map((entry) => [Subjects.keyOf(entry), entry])))
  for (const [key, entry] of before ?? []) {
    if (now?.has(key) !== true) return { text: `${Contradictions.named(entry)} is no part of it any more`, entry }
  }
  for (const [key, entry] of now ?? []) {
    const known = before?.get(key)
    if (known === undefined) return { text: `${Contradictions.named(entry)} is a part of it now`, entry }
    const found = differs(known, entry)
    if (found !== undefined) return found
  }
  if (is.entries.length !== was.entries.length) return { text: "one of its entries is told otherwise now" }
  if (is.residual !== was.residual) {
    return { text: `what is left over is ${sumOf(is.residual)} now, and was ${sumOf(was.residual)}` }
  }
  if (is.openCount !== was.openCount) {
    return { text: `of its entries ${is.openCount ?? 0} are open now, and ${was.openCount ?? 0} were` }
  }
  return is.openSum === was.openSum
    ? undefined
    : { text: `what is open is ${sumOf(is.openSum)} now, and was ${sumOf(was.openSum)}` }
}

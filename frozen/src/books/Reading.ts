/** What was read of the time of a book: all of it, up to a tail, or with gaps. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Book from "../Book.ts"
import type { Random } from "../Random.ts"

type Operation = Coverage.Coverage["operation"]

const operations: ReadonlyArray<Operation> = ["deposits", "transfers"]

const LONG_AFTER = Book.T0 + 9 * Book.DAY

const whole = (operation: Operation): Coverage.Coverage => ({
  operation,
  from: Book.T0 - 4 * Book.DAY,
  to: Book.T0 + 8 * Book.DAY,
  readAt: LONG_AFTER,
  state: "complete"
})

/** Everything, long after. */
export const everything: ReadonlyArray<Coverage.Coverage> = operations.map(whole)

/** Complete up to some minutes, and open behind that. */
export const upTo = (random: Random, minutes: number): ReadonlyArray<Coverage.Coverage> => {
  const end = Book.minute(minutes)
  return operations.flatMap((operation): ReadonlyArray<Coverage.Coverage> => {
    const own = end + random.pick([0, 0, random.int(-30, 30)]) * Book.MINUTE
    const complete: Coverage.Coverage = {
      ...whole(operation),
      to: own,
      readAt: own + random.pick([0, 3, 600]) * Book.MINUTE
    }
    return random.chance(0.5)
      ? [complete]
      : [complete, { ...complete, from: own, to: own + random.int(1, 200) * Book.MINUTE, state: "open" }]
  })
}

/** All but a part of some scopes: not read, not asked for, or open. */
const without = (random: Random, one: Coverage.Coverage, minutes: number): ReadonlyArray<Coverage.Coverage> => {
  const begin = Book.minute(random.int(-60, minutes))
  const hole = { from: begin, to: begin + random.pick([5, 60, 400]) * Book.MINUTE }
  const gap = random.pick([
    { code: "failed-page", detail: "HTTP 503" },
    { code: "unproven", detail: "the pages of the interval did not agree" },
    { code: "retention", detail: "it is older than what the service keeps" },
    { code: "damaged", detail: "what is kept is not what was written" }
  ])
  return [
    { ...one, to: hole.from },
    ...random.pick<ReadonlyArray<Coverage.Coverage>>([
      [],
      [{ ...one, ...hole, state: "incomplete", gap }],
      [{ ...one, ...hole, state: "incomplete", gap }],
      [{ ...one, ...hole, state: "open" }]
    ]),
    { ...one, from: hole.to }
  ]
}

/** Both sides as one, with holes. */
export const holed = (random: Random, minutes: number): ReadonlyArray<Coverage.Coverage> =>
  everything.flatMap((one) => random.chance(0.1) ? [] : random.chance(0.6) ? without(random, one, minutes) : [one])

/** Transfers by the queries that were asked, of which some were not answered or never asked. */
export const byQuery = (
  random: Random,
  accounts: ReadonlyArray<string>,
  minutes: number
): ReadonlyArray<Coverage.Coverage> => {
  const types = random.pick([[["SPOT", "SPOT"]], [["SPOT", "SPOT"], ["SPOT", "FUTURES"]]] as const)
  const isBack = random.chance(0.5)
  const forth = accounts.flatMap((fromAccount) =>
    types.map(([fromAccountType, toAccountType]) => ({ fromAccount, fromAccountType, toAccountType }))
  )
  const back = accounts.flatMap((toAccount) =>
    types.map(([fromAccountType, toAccountType]) => ({ toAccount, fromAccountType, toAccountType }))
  )
  const queries: ReadonlyArray<Coverage.TransferQuery> = isBack ? [...forth, ...back] : forth
  const lost = random.int(0, queries.length)
  return [
    ...(random.chance(0.8) ? [whole("deposits")] : without(random, whole("deposits"), minutes)),
    ...queries.flatMap((query, index): ReadonlyArray<Coverage.Coverage> => {
      const one: Coverage.Coverage = { ...whole("transfers"), query }
      if (index !== lost) return [one]
      return random.chance(0.4) ? [] : without(random, one, minutes)
    })
  ]
}

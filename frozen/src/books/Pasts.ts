/** Entries as an archive tells them: with what was said of them before. */
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Book from "../Book.ts"
import type { Random } from "../Random.ts"

const statuses = ["settled", "pending", "failed", "unknown"] as const

const pastOf = (random: Random, entry: Entry.Entry): Entry.Past => {
  const earlier = Array.from({ length: random.int(0, 2) }, () => ({
    status: random.pick(statuses),
    seenAt: entry.at + random.int(0, 600) * 1000
  })).toSorted((a, b) => a.seenAt - b.seenAt)
  const amount = random.pick([entry.amount, "10", "99"])
  const settledAt = entry.at + random.int(-10, 2000) * Book.MINUTE
  return {
    statuses: earlier,
    ...(random.chance(0.5) ? { settledAt } : {}),
    ...(random.chance(0.5) ? { unsettledAt: settledAt - random.int(0, 90) * Book.MINUTE } : {}),
    ...(random.chance(0.2) ? { vanishedAt: entry.at + random.int(0, 3000) * Book.MINUTE } : {}),
    ...(random.chance(0.15)
      ? { conflicts: [random.chance(0.1) ? "no JSON" : JSON.stringify({ asset: entry.asset, amount })] }
      : {})
  }
}

/** Gives a share of them a past. */
export const some = (
  random: Random,
  entries: ReadonlyArray<Entry.Entry>,
  share: number
): ReadonlyArray<Entry.Entry> =>
  entries.map((entry): Entry.Entry => {
    if (!random.chance(share)) return entry
    const status = random.chance(0.3) ? random.pick(statuses) : entry.status
    return { ...entry, status, past: pastOf(random, entry) }
  })

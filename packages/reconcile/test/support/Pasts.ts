/** Entries as an archive may tell them: with what was said of them before. */
import type * as Entry from "../../src/Entry.ts"
import type * as Past from "../../src/internal/Past.ts"
import type * as Generator from "./Generator.ts"

/** When something was said of an entry, or a complete reading did not show it: some time after it. */
const seen = (random: Generator.Generator, { at }: Entry.Entry): number => at + random.int(0, 600_000)

const pastOf = (random: Generator.Generator, entry: Entry.Entry, amounts: ReadonlyArray<string>): Past.Past => {
  const statuses = Array.from({ length: random.int(0, 2) }, () => ({
    status: random.pick(["settled", "pending", "failed", "unknown"] as const),
    seenAt: seen(random, entry)
  })).toSorted((a, b) => a.seenAt - b.seenAt)
  const conflicts = Array.from(
    { length: random.int(1, 2) },
    () => random.chance(0.1) ? "no JSON" : JSON.stringify({ asset: entry.asset, amount: random.pick(amounts) })
  )
  return {
    statuses,
    ...(random.chance(0.5) ? { settledAt: entry.at + random.int(-10, 120) * 60_000 } : {}),
    ...(random.chance(0.5) ? { unsettledAt: entry.at + random.int(-10, 90) * 60_000 } : {}),
    ...(random.chance(0.3) ? { vanishedAt: seen(random, entry) } : {}),
    ...(random.chance(0.2) ? { conflicts } : {})
  }
}

/** Gives a share of them a past. What was said of many matters, of the others it does not. */
export const some = (
  random: Generator.Generator,
  entries: ReadonlyArray<Entry.Entry>,
  share = 0.25
): ReadonlyArray<Entry.Entry> => {
  const amounts = entries.map(({ amount }) => amount)
  return entries.map((entry): Entry.Entry => {
    if (!random.chance(share)) return entry
    const status = random.chance(0.3) ? random.pick(["pending", "failed", "unknown"] as const) : entry.status
    return { ...entry, status, past: pastOf(random, entry, amounts) }
  })
}

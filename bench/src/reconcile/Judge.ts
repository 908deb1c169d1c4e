/** Reads what a contender wrote, and compares it with the truth. */
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"
import type { Book } from "./Book.ts"

export interface Verdict {
  /** Pairs and groups that are stated. */
  readonly stated: number
  /** Those of them that hold an entry with all that belongs to it, and nothing else. */
  readonly right: number
  /** The share of entries with a counterpart that are in one of these. */
  readonly reach: number
  /** The share of entries with a counterpart that are, with it, in a class of equal amounts that comes out even. */
  readonly inClasses: number
}

interface Line {
  readonly outcome?: string
  readonly code?: string
  readonly deposit?: string | null
  readonly transfer?: string | null
  readonly deposits?: ReadonlyArray<{ readonly id: string }>
  readonly transfers?: ReadonlyArray<{ readonly id: string }>
}

/** The id of a deposit of the exchange is its transaction and, after a tilde, a hash. The others told the transaction alone. */
const idsOf = (line: Line): ReadonlyArray<string> =>
  line.deposits === undefined
    ? [line.deposit, line.transfer].filter((id) => typeof id === "string")
    : [...line.deposits, ...line.transfers ?? []].map(({ id }) => id.split("~", 1)[0] ?? "")

/** Fails where an entry is in no outcome, or in two: each contender has the same work. */
export const judge = async (file: string, { entries, truth }: Book): Promise<Verdict> => {
  const groupOf = new Map(truth.flatMap((ids, group) => ids.map((id) => [id, group] as const)))
  const seen = new Set<string>()
  let [stated, right, reached, inClasses, told] = [0, 0, 0, 0, 0]
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const line: Line = JSON.parse(text)
    if (line.outcome === undefined) continue
    const ids = idsOf(line)
    told += ids.length
    for (const id of ids) seen.add(id)
    if (line.outcome !== "matched") continue
    const among = new Set(ids)
    const together = ids.filter((id) => truth[groupOf.get(id) ?? -1]?.every((other) => among.has(other)) === true)
    if (line.code === "class-balanced") {
      inClasses += together.length
      continue
    }
    stated++
    if (together.length < ids.length || new Set(ids.map((id) => groupOf.get(id))).size > 1) continue
    right++
    reached += ids.length
  }
  if (told !== entries || seen.size !== entries) {
    throw new Error(`${file} tells of ${seen.size} entries ${told} times, and there are ${entries}`)
  }
  return { stated, right, reach: reached / groupOf.size, inClasses: inClasses / groupOf.size }
}

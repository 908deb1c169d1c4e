/** Entries are found by what a person has at hand: a whole name, its beginning, or both of its ends as reports shorten ids. */
import * as Effect from "effect/Effect"
import type { DatabaseError } from "../../ArchiveError.ts"
import type * as Decision from "../../Decision.ts"
import * as Subjects from "./Subjects.ts"

/** Fewer letters are the beginning of too much: what has them is not looked up by its beginning. */
export const SHORTEST = 4

/** So many entries that one name could mean are told, so that a person can choose. */
const LIMIT = 20

/** `head…tail`, as reports write long ids, and `head` alone; a terminal may have made three dots of one letter. */
const ends = (name: string): { readonly head: string; readonly tail: string } => {
  const [head = "", ...rest] = name.split(/…|\.\.\./)
  return { head, tail: rest.at(-1) ?? "" }
}

/** The end of a deposit's reference, on which its id ends: what stands before it is its transaction, and what stands behind it its number. */
const referenceOf = (tail: string): string => tail.slice(tail.lastIndexOf("~") + 1).replace(/#\d*$/, "")

/** Tells whether a name begins with too few letters, so that it can only be found as a whole. */
export const isTooShort = (name: string): boolean => ends(name).head.length < SHORTEST

/** Whole names come first: whoever writes one means no longer one. */
export const find = (records: Subjects.Records) =>
  Effect.fnUntraced(function*(
    name: string
  ): Effect.fn.Return<ReadonlyArray<Decision.Subject>, DatabaseError> {
    const kept = yield* Subjects.beside(records, [{ side: "deposit", id: name }, { side: "transfer", id: name }])
    const found = kept.map(({ subject }) => subject)
    const exact = found.filter(({ id, side }) => side === "deposit" && id === name)
    if (exact.length > 0) return exact
    const whole = found.filter((one) => Subjects.recordOf(one) === name)
    if (whole.length > 0) return whole

    if (isTooShort(name)) return []
    const { head, tail } = ends(name)
    const arrived = tail === ""
      ? yield* records.deposits.beginning(head, "", LIMIT)
      : yield* records.deposits.beginningOf(head, referenceOf(tail))
    const named = [
      // An id that is given without its last letters ends behind the name of its record.
      { side: "deposit", id: head } as const,
      ...arrived.map((id) => ({ side: "deposit", id }) as const),
      ...(yield* records.transfers.beginning(head, tail, LIMIT)).map((id) => ({ side: "transfer", id }) as const)
    ]
    return (yield* Subjects.beside(records, named)).map(({ subject }) => subject)
      .filter(({ id }) => id.startsWith(head) && id.endsWith(tail)).slice(0, LIMIT)
  })

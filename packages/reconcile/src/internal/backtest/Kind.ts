/** Says what differs between two outcomes of one entry. */
import * as Schema from "effect/Schema"

/** The kinds of difference, in order of importance. */
export const Kind = Schema.Literals(["partners", "code", "figures", "accepted"])
export type Kind = typeof Kind.Type

const rank = (kind: Kind): number => Kind.literals.indexOf(kind)

/**
 * Returns the weight of a difference. The least weight comes first: partners of stated matches, other partners, codes,
 * figures, and last of all who accepted the outcome.
 */
export const weight = (kind: Kind, isMatched: boolean): number => kind === "partners" && isMatched ? -1 : rank(kind)

export const ofWeight = (weight: number): Kind => Kind.literals[Math.max(0, weight)] ?? "accepted"

/** Writes the several contents that a source gave of one entry. */
import { absurd } from "effect/Function"
import type * as Entry from "../../Entry.ts"
import type * as Because from "./Because.ts"
import type { Moments } from "./Moments.ts"
import * as Words from "./Words.ts"

const value = (text: string | null): string => text ?? "nothing"

/** Says how another version differs: `amount 2 instead of 1`. */
export const differences = (version: Because.Version): string => {
  switch (version.kind) {
    case "fields":
      return version.fields
        .map(({ field, instead, value: other }) => `${field} ${value(other)} instead of ${value(instead)}`)
        .concat(version.more > 0 ? [`${version.more} fields more`] : [])
        .join(", ")
    case "unseen":
      return "a difference that the entry does not show"
    case "unreadable":
      return "contents that cannot be read"
    case "masked":
      return "other contents, which are masked"
    default:
      return absurd(version)
  }
}

export const sentence = (
  entry: Entry.Entry,
  { others, versions }: Extract<Because.Because, { code: "told-in-versions" }>,
  moments: Moments
): string => {
  const more = others.some(({ kind }) => kind === "masked") ? 0 : versions - 1 - others.length
  const told = others.map(differences).concat(more > 0 ? [`${more} more`] : [])
  return `The source gave ${versions} versions of ${entry.side} ${entry.id}: ${
    Words.happened(entry, moments)
  }; it also came with ${told.join("; and with ")}. None of them is matched.`
}

/** The text of one book, so that two checkouts can be held against each other. */
import * as Effect from "effect/Effect"
import * as Formats from "./Formats.ts"
import type * as Kind from "./Kind.ts"

/** What may be shown: a format, the facts, or what the run was told. */
export const parts = ["input", "facts", ...Formats.names] as const
export type Part = typeof parts[number]

/** One part, or each of them under its name. */
export const text = Effect.fnUntraced(function*(kind: Kind.Kind, seed: number, part: Part | undefined) {
  const subject = yield* kind.subject(seed)
  const { facts, words } = yield* Formats.of(subject)
  const texts = new Map([["input", `${JSON.stringify(subject.input, undefined, 1)}\n`], ["facts", facts], ...words])
  return part === undefined
    ? Array.from(texts, ([name, text]) => `== ${name}\n${text}`).join("")
    : texts.get(part) ?? `${kind.name} ${seed} has no ${part}\n`
})

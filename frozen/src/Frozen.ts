/**
 * What is kept of a kind, as a text: a line `# CODE BOOKS` for each code that occurs, and a line
 * `SEED FACTS WORDS HINTS` for each book.
 */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { fileURLToPath } from "node:url"
import type * as Digest from "./Digest.ts"

export interface Frozen {
  /** In how many books a code occurs. */
  readonly codes: ReadonlyMap<string, number>
  readonly digests: ReadonlyMap<number, Digest.Digest>
}

const none: Frozen = { codes: new Map(), digests: new Map() }

const pathOf = (kind: string): string => fileURLToPath(new URL(`../digests/${kind}.txt`, import.meta.url))

export const parse = (text: string): Frozen => {
  const codes = new Map<string, number>()
  const digests = new Map<number, Digest.Digest>()
  for (const line of text.split("\n")) {
    const [first = "", facts = "", words = "", hints = ""] = line.split(" ")
    if (first === "#") codes.set(facts, Number(words))
    else if (first !== "") digests.set(Number(first), { facts, words, hints })
  }
  return { codes, digests }
}

export const format = ({ codes, digests }: Frozen): string =>
  [
    ...Array.from(codes, ([code, books]) => `# ${code} ${books}`).toSorted(),
    ...Array.from(digests).toSorted(([a], [b]) => a - b).map(([seed, { facts, hints, words }]) =>
      `${seed} ${facts} ${words} ${hints}`
    ),
    ""
  ].join("\n")

/** What is kept; nothing where nothing is. */
export const read = Effect.fnUntraced(function*(kind: string) {
  const files = yield* FileSystem.FileSystem
  const path = pathOf(kind)
  return (yield* files.exists(path)) ? parse(yield* files.readFileString(path)) : none
})

export const write = Effect.fnUntraced(function*(kind: string, frozen: Frozen) {
  const files = yield* FileSystem.FileSystem
  yield* files.writeFileString(pathOf(kind), format(frozen))
})

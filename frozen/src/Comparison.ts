/** What is said now, held against what is kept. */
import * as Effect from "effect/Effect"
import * as Digest from "./Digest.ts"
import * as Formats from "./Formats.ts"
import * as Frozen from "./Frozen.ts"
import type * as Kind from "./Kind.ts"

/** A book of which something else is said than is kept. */
export interface Difference {
  readonly kind: string
  readonly seed: number
  /** What differs, in words. */
  readonly what: string
}

/** What a kind says now of these of its books. */
const now = Effect.fnUntraced(function*(kind: Kind.Kind, seeds: ReadonlyArray<number> = kind.seeds) {
  const codes = new Map<string, number>()
  const digests = new Map<number, Digest.Digest>()
  for (const seed of seeds) {
    const said = yield* Formats.of(yield* kind.subject(seed))
    digests.set(seed, Digest.of(said))
    for (const code of said.codes) codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  return { codes, digests }
})

/** What differs, in words; nothing where nothing does. */
export const what = (old: Digest.Digest | undefined, current: Digest.Digest | undefined): string | undefined => {
  if (old === undefined) return "nothing is kept of it"
  if (current === undefined) return "there is no such book any more"
  if (old.facts === current.facts && old.words === current.words) return undefined
  const formats = Digest.unlike(old, current)
  const where = formats.length === 0 ? "some format" : formats.join(", ")
  return `${old.facts === current.facts ? "words" : "facts"} differ, in ${where}`
}

/** What a kind says now of some of its books, what is kept, and of how many of them the facts and the words differ. */
export interface Changes {
  readonly facts: number
  readonly words: number
  readonly found: Frozen.Frozen
  readonly kept: Frozen.Frozen
}

export const changes = Effect.fnUntraced(function*(kind: Kind.Kind, seeds: ReadonlyArray<number>) {
  const kept = yield* Frozen.read(kind.name)
  const found = yield* now(kind, seeds)
  const unlike = (part: "facts" | "words"): number =>
    Array.from(found.digests).filter(([seed, digest]) => digest[part] !== kept.digests.get(seed)?.[part]).length
  return { facts: unlike("facts"), found, kept, words: unlike("words") } satisfies Changes
})

/** Compares these books of a kind. Where all of them are compared, one that is kept and not there any more differs too. */
export const compare = Effect.fnUntraced(function*(kind: Kind.Kind, seeds: ReadonlyArray<number> = kind.seeds) {
  const old = yield* Frozen.read(kind.name)
  const { digests } = yield* now(kind, seeds)
  const all = new Set([...seeds, ...(seeds.length === kind.seeds.length ? old.digests.keys() : [])])
  const differences = Array.from(all).flatMap((seed): ReadonlyArray<Difference> => {
    const found = what(old.digests.get(seed), digests.get(seed))
    return found === undefined ? [] : [{ kind: kind.name, seed, what: found }]
  })
  return { same: all.size - differences.length, differences }
})

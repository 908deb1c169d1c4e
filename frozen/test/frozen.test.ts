import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Effect from "effect/Effect"
import * as Comparison from "../src/Comparison.ts"
import * as Digest from "../src/Digest.ts"
import * as Formats from "../src/Formats.ts"
import * as Frozen from "../src/Frozen.ts"
import type * as Kind from "../src/Kind.ts"
import * as All from "../src/kinds/All.ts"

/** Books that take long are tried less often here; `pnpm frozen` tries all of them. */
const limits: Readonly<Record<string, number>> = {
  archive: 2,
  exchange: 2,
  exhausted: 1,
  hundreds: 3,
  long: 0,
  outside: 1,
  throngs: 3
}

const few = ({ name, seeds }: Kind.Kind): ReadonlyArray<number> => seeds.slice(0, limits[name] ?? 10)

const kept = Effect.forEach(All.all, ({ name }) => Frozen.read(name)).pipe(Effect.provide(NodeServices.layer))

describe("the first books of each kind", () => {
  for (const kind of All.all.filter((one) => few(one).length > 0)) {
    it.effect(`${kind.name}: the engine says of them what it said`, () =>
      Effect.gen(function*() {
        const { differences, same } = yield* Comparison.compare(kind, few(kind))
        assert.deepStrictEqual(differences, [])
        assert.strictEqual(same, few(kind).length)
      }).pipe(Effect.provide(NodeServices.layer)))
  }
})

describe("the frozen books", () => {
  it.effect("are of more than thirteen kinds with four hundred books each", () =>
    Effect.gen(function*() {
      const sizes = (yield* kept).map(({ digests }) => digests.size)
      assert.isAbove(sizes.filter((size) => size >= 400).length, 13)
      assert.deepStrictEqual(sizes, All.all.map(({ seeds }) => seeds.length))
    }))

  it.effect("have every code of an outcome in at least twenty books", () =>
    Effect.gen(function*() {
      const books = yield* kept
      const rare = Outcome.Code.literals.map((code) => ({
        code,
        books: books.reduce((sum, { codes }) => sum + (codes.get(code) ?? 0), 0)
      })).filter(({ books }) => books < 20)
      assert.deepStrictEqual(rare, [])
    }))

  it.effect("are kept as they are read", () =>
    Effect.gen(function*() {
      for (const frozen of yield* kept) {
        assert.deepStrictEqual(Frozen.parse(Frozen.format(frozen)), frozen)
      }
    }))
})

describe("a book of which something else is said", () => {
  const words = new Map(Formats.names.map((name) => [name, `words of ${name}`]))
  const old = Digest.of({ facts: "facts", words, codes: new Set() })

  it("differs in its words and in the format that changed", () => {
    const changed = Digest.of({ facts: "facts", words: new Map([...words, ["csv", "others"]]), codes: new Set() })
    assert.strictEqual(Comparison.what(old, changed), "words differ, in csv")
  })

  it("differs in its facts, whatever the words are", () => {
    const changed = Digest.of({ facts: "others", words, codes: new Set() })
    assert.strictEqual(Comparison.what(old, changed), "facts differ, in some format")
  })

  it("differs where nothing is kept of it, and where it is gone", () => {
    assert.strictEqual(Comparison.what(undefined, old), "nothing is kept of it")
    assert.strictEqual(Comparison.what(old, undefined), "there is no such book any more")
  })

  it("is the same where nothing changed", () => {
    assert.isUndefined(Comparison.what(old, old))
  })
})

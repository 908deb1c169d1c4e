/** The kinds whose books are generated. */
import * as Recipe from "../books/Recipe.ts"
import * as Kind from "../Kind.ts"
import * as Random from "../Random.ts"
import * as Subject from "../Subject.ts"
import { crowded } from "./Crowded.ts"
import { singles } from "./Singles.ts"

const SEEDS = 400

/** Fewer, because each takes as long as some hundred others. */
const fewer: Readonly<Record<string, number>> = { exhausted: 24, hundreds: 120, long: 2, throngs: 120 }

/** Books of so many entries that they are decided in several steps by themselves. */
const long: ReadonlySet<string> = new Set(["long"])

/** Deciding in steps takes long, so that only one in so many books is decided so. */
const STEPWISE = 6

export const generated: ReadonlyArray<Kind.Kind> = Object.entries({ ...singles, ...crowded }).map(([name, recipe]) => ({
  name,
  seeds: Kind.upTo(fewer[name] ?? SEEDS),
  subject: (seed) =>
    Subject.ofBook(
      Recipe.book(recipe, Random.make(Random.seedOf(name, seed))),
      long.has(name) ? { parts: 60 } : { stepwise: seed % STEPWISE === 0 }
    )
}))

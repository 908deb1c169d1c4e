/** A recipe: which motifs a kind of book is made of, and under which policy it is read. */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Book from "../Book.ts"
import type { Random } from "../Random.ts"
import * as Draft from "./Draft.ts"
import type { Motif } from "./Motif.ts"
import * as Reading from "./Reading.ts"

export interface Recipe {
  readonly scene: (random: Random) => Draft.Scene
  /** One that stands here twice comes twice as often. */
  readonly motifs: readonly [Motif, ...ReadonlyArray<Motif>]
  /** How many motifs a book has at least and at most. */
  readonly count: readonly [number, number]
  readonly policy: (random: Random, draft: Draft.Draft) => Policy.Policy
  /** What takes the place of what every book has. */
  readonly more?: (random: Random, draft: Draft.Draft) => Partial<Book.Book>
}

const rangeOf = (random: Random, minutes: number): Pick<Book.Book, "range"> => {
  if (!random.chance(0.35)) return {}
  const from = random.int(-20, Math.ceil(minutes / 2))
  return { range: { from: Book.minute(from), to: Book.minute(from + random.int(1, minutes)) } }
}

const accountsOf = (random: Random, { accounts }: Draft.Scene): Accounts.Accounts => ({
  list: accounts.filter((account) => account !== undefined),
  complete: random.chance(0.7)
})

export const book = (recipe: Recipe, random: Random): Book.Book => {
  const scene = recipe.scene(random)
  const draft = Draft.make(random, scene)
  const [least, most] = recipe.count
  const count = random.int(least, most)
  for (let index = 0; index < count; index++) random.pick(recipe.motifs)(draft)
  const policy = recipe.policy(random, draft)
  return {
    policy,
    coverage: random.chance(0.7) ? Reading.everything : Reading.upTo(random, random.int(0, scene.minutes + 120)),
    accounts: accountsOf(random, scene),
    ...rangeOf(random, scene.minutes),
    ...(random.chance(0.1) ? { asOf: Book.T0 + random.int(0, 30) * Book.DAY } : {}),
    bad: draft.bad,
    deposits: draft.deposits,
    transfers: draft.transfers,
    ...recipe.more?.(random, draft)
  }
}

/** A scene with these fields in place of the usual ones. */
export const scene = (changes: Partial<Draft.Scene> = {}) => (random: Random): Draft.Scene => ({
  assets: random.pick([["BTC"], ["BTC", "USDT"], ["USDT"]] as const),
  accounts: random.pick([[undefined], ["a", "b"], [undefined, "a"], ["a", "b", "c"]] as const),
  amounts: random.pick(["own", "own", "few"]),
  minutes: random.pick([60, 240, 1000, 4000]),
  routed: random.chance(0.4),
  ...changes
})

/** A policy such as most people write. */
export const usual = (random: Random): Policy.Policy => ({
  ...(random.chance(0.5) ? {} : {
    window: {
      before: random.pick(["1 minute", "0 minutes", "10 minutes"]),
      after: random.pick(["1 hour", "20 minutes", "3 hours"])
    }
  }),
  ...(random.chance(0.5) ? {} : { late: random.pick(["0 minutes", "30 minutes", "2 hours", "1 day"]) }),
  ...(random.chance(0.5) ? {} : { grouping: { manyToOne: random.chance(0.5), oneToMany: random.chance(0.5) } })
})

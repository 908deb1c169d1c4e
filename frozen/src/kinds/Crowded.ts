/** Kinds of books in which many entries compete, or people and archives have a word. */
import type * as Policy from "@tallystick/reconcile/Policy"
import type { Draft } from "../books/Draft.ts"
import * as Moves from "../books/Moves.ts"
import * as Narrow from "../books/Narrow.ts"
import * as Odd from "../books/Odd.ts"
import * as Pasts from "../books/Pasts.ts"
import * as Reading from "../books/Reading.ts"
import * as Recipe from "../books/Recipe.ts"
import * as Several from "../books/Several.ts"
import type { Random } from "../Random.ts"

const { swept, unswept } = Moves

const groups: Recipe.Recipe = {
  scene: Recipe.scene({ minutes: 240 }),
  motifs: [
    Several.sweep,
    Several.split,
    Several.manySums,
    Several.eitherSweep,
    Several.sweep,
    Several.split,
    swept,
    unswept,
    Moves.crowd(3)
  ],
  count: [2, 8],
  policy: (random) => ({
    ...Recipe.usual(random),
    grouping: {
      manyToOne: random.chance(0.8),
      oneToMany: random.chance(0.8),
      maxSize: random.pick([2, 3, 8, 12]),
      maxRun: random.pick([2, 8, 1000])
    },
    tolerance: { absolute: random.pick(["0", "0", "0.001", "0.5"]) },
    fees: random.chance(0.2) ? [{ flat: "0.5" }] : []
  })
}

/** Round amounts that many have. */
const crowds: Recipe.Recipe = {
  scene: Recipe.scene({ amounts: "round", minutes: 400 }),
  motifs: [Several.burst, Several.burst, Several.tie, Several.tie, swept, Moves.doubled, Moves.crowd(8), unswept],
  count: [2, 9],
  policy: (random) => ({
    ...Recipe.usual(random),
    ambiguity: random.pick<Policy.Policy["ambiguity"] & {}>([
      "report",
      "report",
      "assign",
      { ratio: 2, rivals: 3 },
      { ratio: 5, rivals: 0 },
      { mode: "assign", ratio: 3 }
    ]),
    tolerance: { absolute: random.pick(["0", "0", "0", "50"]) }
  })
}

const idOf = (random: Random, entries: ReadonlyArray<{ readonly id: string }>, other: string): string =>
  random.chance(0.1) ? other : random.some(entries)?.id ?? other

const linksOf = (random: Random, { deposits, transfers }: Draft): ReadonlyArray<Policy.Policy["links"] & {}> => [[], [
  {
    deposits: [idOf(random, deposits, "nobody")],
    transfers: [idOf(random, transfers, "none")],
    by: "finance",
    reason: "the desk says so"
  }
]]

/** What people say by hand: links, what is left out, what never matches, and dust. */
const links: Recipe.Recipe = {
  scene: Recipe.scene({ assets: ["BTC"] }),
  motifs: [
    swept,
    unswept,
    Moves.late,
    Moves.short,
    Several.sweep,
    Several.tie,
    Moves.unsettled,
    Moves.fromNowhere,
    Moves.crowd(4)
  ],
  count: [3, 14],
  policy: (random, draft) => {
    const { deposits, transfers } = draft
    const excluded = random.chance(0.4)
      ? [{
        id: random.pick([idOf(random, deposits, "dx"), idOf(random, transfers, "tx")]),
        ...(random.chance(0.5) ? { reason: "a test of ours" } : {})
      }]
      : []
    const isFree = (id: string): boolean => excluded.every((one) => one.id !== id)
    return {
      ...Recipe.usual(random),
      exclude: excluded,
      links: random.pick([[], ...linksOf(random, draft), ...linksOf(random, draft)]).filter((link) =>
        [...link.deposits, ...link.transfers].every(isFree)
      ),
      forbid: random.chance(0.4)
        ? [{ deposit: idOf(random, deposits, "dx"), transfer: idOf(random, transfers, "tx") }]
        : [],
      ...(random.chance(0.3) ? { minAmount: { BTC: random.pick(["10", "11", "1000"]) } } : {})
    }
  }
}

/** Records that contradict each other, come again, or cannot be read. */
const conflicts: Recipe.Recipe = {
  scene: Recipe.scene(),
  motifs: [
    Odd.conflict,
    Odd.conflict,
    Odd.repeated,
    Odd.malformed,
    Odd.unread,
    Odd.hostile,
    swept,
    unswept,
    Moves.crowd(3)
  ],
  count: [3, 12],
  policy: Recipe.usual
}

/** Entries as an archive tells them, with what was said of them before. */
const pasts: Recipe.Recipe = {
  scene: Recipe.scene({ minutes: 1000 }),
  motifs: [
    swept,
    swept,
    Moves.late,
    unswept,
    Moves.unsettled,
    Moves.stamped,
    Several.sweep,
    Moves.doubled,
    Moves.crowd(5)
  ],
  count: [3, 14],
  policy: (random) => ({
    ...Recipe.usual(random),
    lagFrom: random.pick(["seen", "settled", "settled"]),
    reference: random.pick(["prefer", "require"])
  }),
  more: (random, { deposits, transfers }) => ({
    deposits: Pasts.some(random, deposits, 0.35),
    transfers: Pasts.some(random, transfers, 0.2)
  })
}

const policyOfAll = (random: Random): Policy.Policy => ({
  ...Recipe.usual(random),
  assets: { aliases: random.pick([[], [["USDT", "USDT-TRX"]]]) },
  tolerance: { absolute: random.pick(["0", "0", "0.5"]) },
  fees: random.pick([[], [], [{ flat: "1" }]]),
  lagFrom: random.pick(["seen", "settled"]),
  reference: random.pick(["prefer", "prefer", "require", "ignore"]),
  ambiguity: { residual: random.pick(["0", "0.01"]), mode: random.pick(["report", "report", "assign"]) }
})

const anything = [
  swept,
  swept,
  unswept,
  Moves.late,
  Moves.early,
  Moves.short,
  Moves.lessBy(["1"]),
  Moves.failed,
  Moves.unsettled,
  Moves.doubled,
  Moves.reversed,
  Moves.wrongWay,
  Moves.otherAccount,
  Moves.renamed,
  Moves.stamped,
  Moves.aside,
  Moves.addressed,
  Moves.crowd(6),
  Several.sweep,
  Several.split,
  Several.manySums,
  Several.burst,
  Several.tie,
  Odd.conflict,
  Odd.repeated,
  Odd.malformed,
  Odd.unread
] as const

/** Everything at once. */
const mixed: Recipe.Recipe = {
  scene: (random) =>
    Recipe.scene({ amounts: random.pick(["own", "few", "round", "long"]), assets: ["BTC", "USDT", "USDT-TRX"] })(
      random
    ),
  motifs: anything,
  count: [4, 14],
  policy: policyOfAll,
  more: (random, { deposits, scene, transfers }) => ({
    ...(random.chance(0.3) ? { coverage: Reading.holed(random, scene.minutes) } : {}),
    ...(random.chance(0.4)
      ? { deposits: Pasts.some(random, deposits, 0.2), transfers: Pasts.some(random, transfers, 0.2) }
      : {})
  })
}

/** Entries of few amounts, assets and accounts at random, which fall into every situation there is. */
const tangled: Recipe.Recipe = {
  scene: Recipe.scene({ amounts: "few", minutes: 200 }),
  motifs: [Moves.crowd(12), Moves.crowd(20), Moves.crowd(6)],
  count: [1, 2],
  policy: policyOfAll,
  more: (random, { deposits, scene, transfers }) => ({
    ...(random.chance(0.3) ? { coverage: Reading.holed(random, scene.minutes) } : {}),
    ...(random.chance(0.2)
      ? { deposits: Pasts.some(random, deposits, 0.2), transfers: Pasts.some(random, transfers, 0.2) }
      : {})
  })
}

/** Some hundred entries of a day or two. */
const hundreds: Recipe.Recipe = {
  scene: Recipe.scene({
    minutes: 2800,
    accounts: ["a", "b", "c", undefined],
    assets: ["BTC", "USDT", "USDT-TRX", "ETH"]
  }),
  motifs: anything,
  count: [60, 160],
  policy: policyOfAll
}

/** Some hundred that compete for each other. */
const throngs: Recipe.Recipe = {
  scene: Recipe.scene({ amounts: "round", minutes: 1400, assets: ["BTC"], accounts: [undefined] }),
  motifs: [Several.tie, Several.burst, swept, Moves.crowd(10)],
  count: [20, 50],
  policy: (random) => ({
    ...Recipe.usual(random),
    grouping: { manyToOne: false, oneToMany: false },
    ambiguity: random.pick(["report", "report", "assign"])
  })
}

/** More pairs than are looked at. */
const exhausted: Recipe.Recipe = {
  scene: Recipe.scene({ minutes: 60, accounts: [undefined], assets: ["BTC", "USDT"] }),
  motifs: [swept, unswept, Moves.crowd(6)],
  count: [2, 6],
  policy: (random) => ({ tolerance: { absolute: random.pick(["2.5", "3", "4"]) } }),
  more: (_, draft) => {
    Several.exhausting(draft)
    return {}
  }
}

/** Some ten thousand entries of a week. */
const long: Recipe.Recipe = {
  scene: Recipe.scene({
    minutes: 10_000,
    amounts: "own",
    accounts: ["a", "b", "c", "e", "f", "g", "h", "i"],
    assets: ["BTC", "USDT", "USDT-TRX", "ETH", "ADA", "SOL"]
  }),
  motifs: anything,
  count: [5000, 5500],
  policy: policyOfAll
}

/** Books of which a minute or a letter decides. */
const corners: Recipe.Recipe = {
  scene: Recipe.scene({ minutes: 120 }),
  motifs: [
    Narrow.chain,
    Narrow.chain,
    Narrow.ladder,
    Narrow.ladder,
    Narrow.row,
    Narrow.lookAlike,
    Narrow.waitingAside,
    swept
  ],
  count: [1, 5],
  policy: (random) => ({
    window: { before: random.pick(["0 minutes", "2 minutes"]), after: random.pick(["5 minutes", "20 minutes"]) },
    late: random.pick(["0 minutes", "30 minutes"]),
    tolerance: { absolute: random.pick(["0", "0.3", "0.5"]) },
    grouping: { manyToOne: random.chance(0.6), oneToMany: random.chance(0.3), maxSize: random.pick([2, 3, 8]) },
    ambiguity: {
      mode: random.pick(["report", "report", "assign"]),
      ratio: random.pick([2, 3]),
      rivals: random.pick([0, 5])
    }
  })
}

export const crowded = {
  groups,
  crowds,
  links,
  conflicts,
  pasts,
  mixed,
  tangled,
  hundreds,
  corners,
  throngs,
  exhausted,
  long
}

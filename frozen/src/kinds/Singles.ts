/** Kinds of books about pairs: what they share, what is taken off, when and where they come. */
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Moves from "../books/Moves.ts"
import * as Reading from "../books/Reading.ts"
import * as Recipe from "../books/Recipe.ts"
import * as Several from "../books/Several.ts"
import type { Random } from "../Random.ts"

const { swept, unswept } = Moves

/** Keys that both sides carry, and transfers that are stamped with the key of their deposit. */
const references: Recipe.Recipe = {
  scene: Recipe.scene(),
  motifs: [
    Moves.stamped,
    Moves.stamped,
    Moves.stamped,
    swept,
    Moves.late,
    Moves.doubled,
    Several.sweep,
    Moves.crowd(4)
  ],
  count: [3, 14],
  policy: (random) => ({
    ...Recipe.usual(random),
    reference: random.pick(["prefer", "prefer", "require", "only", "ignore"]),
    tolerance: { absolute: random.pick(["0", "0", "0.5"]) }
  })
}

const fees: Recipe.Recipe = {
  scene: Recipe.scene({ assets: ["BTC", "USDT", "ETH"] }),
  motifs: [
    Moves.lessBy(["1", "0.5", "0.001"]),
    Moves.lessBy(["1"]),
    Moves.lessPerMille([1, 2, 10]),
    swept,
    Several.sweep,
    Several.split,
    Moves.crowd(3),
    unswept
  ],
  count: [3, 14],
  policy: (random) => ({
    ...Recipe.usual(random),
    fees: random.pick<Policy.Policy["fees"] & {}>([
      [{ flat: "1" }],
      [{ flat: "1" }, { flat: "0.5" }],
      [{ rate: "0.001" }],
      [{ asset: "USDT", flat: "1", rate: "0.002" }, { flat: "0.001" }],
      [{ asset: "BTC", flat: "0.001" }, { asset: "ETH", flat: "0.5" }, { asset: "ETH", rate: "0.01" }]
    ]),
    tolerance: { absolute: random.pick(["0", "0", "0.1"]) }
  })
}

const tolerance: Recipe.Recipe = {
  scene: Recipe.scene(),
  motifs: [
    Moves.lessBy(["0.5", "0.1", "0.05", "1"]),
    Moves.lessBy(["0.0001", "0.01"]),
    Moves.lessPerMille([1, 5, 10, 50]),
    Moves.short,
    swept,
    Several.tie,
    Moves.crowd(5),
    unswept
  ],
  count: [3, 14],
  policy: (random) => ({
    ...Recipe.usual(random),
    tolerance: {
      absolute: random.pick(["0", "0.5", "1", "2"]),
      relative: random.pick(["0", "0", "0.001", "0.01"]),
      base: random.pick(["deposit", "transfer", "larger"]),
      inclusive: random.chance(0.7),
      maxShare: random.pick(["1", "0.1", "0.01"])
    },
    ambiguity: {
      residual: random.pick(["0", "0", "0.001", "0.5"]),
      mode: random.pick(["report", "report", "report", "assign"])
    }
  })
}

/** Moved back, or the wrong way, or between others. */
const reversals: Recipe.Recipe = {
  scene: Recipe.scene({ accounts: ["a", "b", "c"], routed: true }),
  motifs: [
    Moves.reversed,
    Moves.reversed,
    Moves.wrongWay,
    Moves.aside,
    swept,
    Moves.doubled,
    Moves.failed,
    Moves.crowd(4)
  ],
  count: [3, 12],
  policy: (random) => ({
    ...Recipe.usual(random),
    ...(random.chance(0.6) ? {} : {
      flows: random.pick<Policy.Policy["flows"] & {}>([
        [{ from: "*", to: "master" }],
        [{ from: "*", to: "master", types: [["SPOT", "SPOT"]] }, { from: "a", to: "b" }],
        [{ from: "master", to: "*" }],
        [{ from: "*", to: "*" }]
      ])
    })
  })
}

const statuses: Recipe.Recipe = {
  scene: Recipe.scene(),
  motifs: [
    Moves.unsettled,
    Moves.unsettled,
    Moves.unsettled,
    Moves.failed,
    swept,
    Moves.doubled,
    Several.sweep,
    Moves.crowd(4)
  ],
  count: [3, 14],
  policy: Recipe.usual
}

/** Times that were not read, not asked for, or are too young. */
const coverage: Recipe.Recipe = {
  scene: Recipe.scene({ accounts: ["a", "b", "c"] }),
  motifs: [
    swept,
    unswept,
    Moves.late,
    Moves.fromNowhere,
    Moves.short,
    Moves.stamped,
    Several.sweep,
    Several.burst,
    Moves.reversed,
    Moves.crowd(4)
  ],
  count: [3, 14],
  policy: (random) => ({ ...Recipe.usual(random), tolerance: { absolute: random.pick(["0", "0", "0.5"]) } }),
  more: (random, { scene }) => ({
    coverage: random.chance(0.5)
      ? Reading.holed(random, scene.minutes)
      : Reading.byQuery(random, ["a", "b", "c"], scene.minutes)
  })
}

const aliases: Recipe.Recipe = {
  scene: Recipe.scene({ assets: ["USDT", "USDT-TRX", "BTC", "XBT", "usdt"] }),
  motifs: [Moves.renamed, Moves.renamed, Moves.renamed, swept, Several.sweep, Several.burst, Moves.crowd(6), unswept],
  count: [3, 14],
  policy: (random) => ({
    ...Recipe.usual(random),
    assets: {
      aliases: random.pick([
        [],
        [["USDT", "USDT-TRX"]],
        [["BTC", "XBT"], ["USDT-TRX", "usdt", "USDT"]],
        [["XBT", "BTC", "BTC-BEP20"]]
      ])
    },
    per: random.chance(0.3)
      ? [{ asset: "USDT-TRX", window: { after: "10 minutes" }, tolerance: { absolute: "1" } }]
      : []
  })
}

/** Sub-accounts of several masters, accounts that nobody listed, and addresses whose owner a book tells. */
const accounts: Recipe.Recipe = {
  scene: Recipe.scene({ accounts: ["a", "b", "m2-a", "m2-b", "stranger", undefined] }),
  motifs: [
    Moves.otherAccount,
    Moves.otherAccount,
    Moves.aside,
    Moves.addressed,
    swept,
    swept,
    Moves.wrongWay,
    Several.sweep,
    Moves.crowd(3)
  ],
  count: [3, 14],
  policy: Recipe.usual,
  more: (random) => ({
    accounts: {
      list: random.pick([["a", "b"], ["a", "b", "c", "m2-a", "m2-b"], ["m2-a"]]),
      complete: random.chance(0.6),
      ...(random.chance(0.5)
        ? { master: random.pick<readonly [string, ...Array<string>] | string>([["master", "m2"], "m2"]) }
        : {})
    },
    ...(random.chance(0.5) ?
      {
        addresses: [
          { address: "Tone", account: "a" },
          { address: "Ttwo", account: "b", memo: "7" },
          { address: "Ttwo", account: "m2-a", network: "TRX" },
          { address: "Tthree", account: random.pick(["a", "c"]) }
        ]
      } :
      {})
  })
}

const windows = (random: Random): Policy.Policy["window"] & {} =>
  random.pick([
    { before: "1 minute", after: "1 hour" },
    { before: "-5 minutes", after: "40 minutes" },
    { before: "2 hours", after: "-10 minutes" },
    { before: 0, after: 0 },
    { before: "1 day", after: "2 days" }
  ])

/** Early, late, at the very edge, and by rules of single assets. */
const times: Recipe.Recipe = {
  scene: Recipe.scene({ assets: ["BTC", "USDT"] }),
  motifs: [
    Moves.late,
    Moves.early,
    Several.tie,
    swept,
    swept,
    Moves.doubled,
    Moves.stamped,
    Moves.crowd(5),
    Several.burst
  ],
  count: [3, 16],
  policy: (random) => ({
    window: windows(random),
    late: random.pick(["0 minutes", "30 minutes", "23 hours", "3 days"]),
    ambiguity: {
      ratio: random.pick([1, 2, 3, 10]),
      rivals: random.pick([0, 1, 5, 20]),
      mode: random.pick(["report", "report", "report", "assign"])
    },
    per: random.chance(0.5) ? [] : [
      { asset: "USDT", network: "TRX", window: { after: "5 minutes" } },
      { asset: "USDT", window: windows(random), late: "4 hours" }
    ],
    lagFrom: random.pick(["seen", "settled"]),
    grouping: { manyToOne: random.chance(0.3), oneToMany: random.chance(0.3) }
  })
}

export const singles = { references, fees, tolerance, reversals, statuses, coverage, aliases, accounts, times }

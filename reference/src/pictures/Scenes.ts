/** The scenes of the pictures. Tests give the same numbers to the engine. */
import { mark, type Scene } from "./Scene.ts"

/** One deposit of 100, and one transfer at any time and of any amount. */
export const placed = {
  policy: { tolerance: { absolute: "0.5" } },
  transfers: [
    { ...mark("a", 12, "100"), code: "exact" },
    { ...mark("b", 38, "99.7"), code: "tolerant" },
    { ...mark("c", 25, "97"), code: "amount-mismatch" },
    { ...mark("d", 180, "100"), code: "late" },
    { ...mark("e", 26 * 60, "100"), code: "missing-deposit" },
    { ...mark("f", 50, "88"), code: "missing-deposit" }
  ]
} as const

/** The nearest pair takes the transfer that the other deposit needs. */
export const nearest: Scene = {
  deposits: [mark("d1", 0), mark("d2", 40)],
  transfers: [mark("t1", 45), mark("t2", 70)]
}

export const classOfTwo: Scene = {
  deposits: [mark("d1", 0), mark("d2", 8)],
  transfers: [mark("t1", 20), mark("t2", 30)]
}

export const forced: Scene = {
  deposits: [mark("d1", 0), mark("d2", 30)],
  transfers: [mark("t1", 14), mark("t2", 44)]
}

export const byTime: Scene = {
  deposits: [mark("d1", 0, "1", { address: "TA" }), mark("d2", 34, "1", { address: "TB" })],
  transfers: [mark("t1", 40)]
}

export const sweep: Scene = {
  deposits: [mark("d1", 0, "1"), mark("d2", 12, "2.5"), mark("d3", 22, "0.7")],
  transfers: [mark("t1", 45, "4.2")]
}

export const split: Scene = {
  deposits: [mark("d1", 0, "10")],
  transfers: [mark("t1", 15, "6"), mark("t2", 40, "4")]
}

export const twoSets: Scene = {
  deposits: [mark("d1", 0, "1"), mark("d2", 8, "2"), mark("d3", 16, "1.3"), mark("d4", 24, "1.7")],
  transfers: [mark("t1", 50, "3")]
}

const lone: Scene = { deposits: [mark("d1", 0)], transfers: [] }

export const seen: Scene = lone

export const gap: Scene = {
  ...lone,
  read: [
    { from: -3000, to: 20, state: "complete" },
    { from: 20, to: 45, state: "incomplete" },
    { from: 45, to: 3000, state: "complete" }
  ]
}

export const young: Scene = {
  ...lone,
  read: [{ from: -3000, to: 35, state: "complete" }, { from: 35, to: 37, state: "open" }]
}

/** At least one entry for every step. */
export const steps: Scene = {
  policy: {
    links: [{ deposits: ["d-link"], transfers: ["t-link"], by: "a desk" }],
    fees: [{ asset: "BTC", flat: "0.0001" }],
    tolerance: { absolute: "0.01" }
  },
  deposits: [
    mark("d-link", 0, "500"),
    mark("d-ref", 10, "20", { reference: "r1" }),
    mark("d-exact", 20, "75"),
    mark("d-near", 30, "40"),
    mark("d-fee", 40, "2", { asset: "BTC" }),
    mark("d-part-1", 50, "3.1"),
    mark("d-part-2", 60, "4.4"),
    mark("d-alone", 70, "9")
  ],
  transfers: [
    mark("t-link", 4000, "499"),
    mark("t-ref", 15, "20", { reference: "r1" }),
    mark("t-exact", 25, "75"),
    mark("t-near", 35, "39.995"),
    mark("t-fee", 45, "1.9999", { asset: "BTC" }),
    mark("t-whole", 80, "7.5")
  ]
}

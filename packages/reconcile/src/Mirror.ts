/**
 * Measures chance: it counts the pairs that a policy finds where no true pair can lie.
 *
 * The same policy matches the entries once more, after every transfer was moved later by more than window and lateness
 * reach. A transfer that then lies in a deposit's window really came long before it, so chance alone makes each pair.
 */
import * as Coverage from "@tallystick/core/Coverage"
import * as Schema from "effect/Schema"
import type * as Entry from "./Entry.ts"
import * as Matching from "./Matching.ts"
import type * as Policy from "./Policy.ts"

/** The pairs and groups that a policy states where no true ones can lie. */
export const Mirror = Schema.Struct({
  shift: Schema.Int.annotateKey({
    description: "How much earlier than the policy's window the mirrored window of every deposit lies, ms."
  }),
  deposits: Schema.Int.annotateKey({
    description: "How many deposits could have found a counterpart there: those whose mirrored window was read."
  }),
  pairs: Schema.Int.annotateKey({ description: "How many pairs of one deposit and one transfer are stated there." }),
  groups: Schema.Int.annotateKey({
    description: "How many sums of several entries are stated there, and classes of equal amounts that come out even."
  })
}).annotate({
  title: "Mirror",
  description: "What the policy finds in a mirrored window of the same width, where no true pair can lie: chance alone."
})
export type Mirror = typeof Mirror.Type

/**
 * Returns the distance of the move, ms. It is so far that no window, however late, holds a lag that it held before, and that
 * only transfers from before the deposit are left.
 */
const shiftOf = (policy: Policy.Resolved): number =>
  1 + Math.max(...[policy, ...policy.per].map(({ late, window }) => window.after + Math.max(0, window.before + late)))

const referencesOf = (entries: ReadonlyArray<Entry.Entry>): ReadonlySet<string> =>
  new Set(entries.flatMap(({ reference = "" }) => (reference === "" ? [] : [reference])))

/**
 * Keeps the entries that may meet by chance. An entry with a link, or with a reference of the other side, meets by no
 * chance. Where the policy ignores references, so does this.
 */
const strangers = ({ deposits, policy, transfers }: Matching.Input) => {
  const linked = {
    deposit: new Set(policy.links.flatMap(({ deposits }) => deposits)),
    transfer: new Set(policy.links.flatMap(({ transfers }) => transfers))
  }
  const references = { deposit: referencesOf(deposits), transfer: referencesOf(transfers) }
  const isStranger = ({ id, reference = "", side }: Entry.Entry): boolean =>
    !linked[side].has(id) && (policy.reference === "ignore" ||
      !references[side === "deposit" ? "transfer" : "deposit"].has(reference))
  return { deposits: deposits.filter(isStranger), transfers: transfers.filter(isStranger) }
}

/** Covers a side from its first record to its last, whatever was vouched for: outside, it may lack records. */
const extentOf = (entries: ReadonlyArray<Entry.Entry>): Coverage.Interval => {
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { at } of entries) {
    if (!Number.isSafeInteger(at)) continue
    from = Math.min(from, at)
    to = Math.max(to, at + 1)
  }
  return { from, to }
}

/** Counts the pairs of chance over all entries that were read; the range of the input does not matter here. */
export const measure = (input: Matching.Input): Mirror => {
  const shift = shiftOf(input.policy)
  const { deposits, transfers } = strangers(input)
  const read = (operation: Coverage.Coverage["operation"]): ReadonlyArray<Coverage.Coverage> =>
    Coverage.clip(input.coverage.filter((part) => part.operation === operation), extentOf(input[operation]))
  const { outcomes } = Matching.match({
    deposits,
    transfers: transfers.map((transfer) => Object.assign({}, transfer, { at: transfer.at + shift })),
    bad: [],
    coverage: [
      ...read("deposits"),
      ...read("transfers").map((part) => Object.assign({}, part, { from: part.from + shift, to: part.to + shift }))
    ],
    // A deposit that settled a day later is not moved by a window of its own.
    policy: { ...input.policy, links: [], lagFrom: "seen" },
    accounts: input.accounts,
    ...(input.addresses === undefined ? {} : { addresses: input.addresses })
  })
  let [measured, pairs, groups] = [0, 0, 0]
  for (const { deposits, outcome, transfers } of outcomes) {
    if (outcome === "matched" || outcome === "discrepancy") measured += deposits.length
    if (outcome !== "matched") continue
    if (deposits.length === 1 && transfers.length === 1) pairs++
    else groups++
  }
  return { shift, deposits: measured, pairs, groups }
}

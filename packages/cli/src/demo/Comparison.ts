/**
 * A report held against the truth of a generated history. Nothing is given away: a planted break counts as found only
 * with the right code and exactly the right entries, everything else that is not a match counts as invented, and every
 * pair that is stated is looked up.
 */
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Truth from "@tallystick/sandbox/Truth"
import * as Schema from "effect/Schema"
import * as ExpectedOutcomes from "./ExpectedOutcomes.ts"

/** One thing that a report got wrong, in words. */
export interface Difference {
  readonly what: "not found" | "invented" | "wrong pair" | "wrong group" | "wrong class"
  readonly detail: string
}

/** Something that was checked so and so often. */
interface Checked {
  readonly count: number
  readonly differences: ReadonlyArray<Difference>
}

export interface PlantedCount {
  readonly planted: number
  readonly found: number
}

export interface KindCount extends PlantedCount {
  readonly kind: Truth.Kind
}

export interface Comparison {
  /** Breaks by kind, in the order they were first planted. */
  readonly kinds: ReadonlyArray<KindCount>
  /** Outcomes that are neither matches nor what was planted. */
  readonly invented: number
  /** Pairs stated as facts, and how many of them are not true. */
  readonly pairs: number
  readonly wrongPairs: number
  /** Ordinary groups: sweeps of several deposits, and deposits moved in parts. */
  readonly groups: PlantedCount
  /** Groups stated as facts, and how many of them are not true. */
  readonly statedGroups: number
  readonly wrongGroups: number
  /** Balanced classes, and how many of them do not hold both ends of each of their pairs. */
  readonly classes: number
  readonly wrongClasses: number
  readonly differences: ReadonlyArray<Difference>
}

const isDeposit = Schema.is(SubAccountDeposit.SubAccountDeposit)

/** The truth names deposits by their txId. */
const nameOf = ({ id, record }: Entry.Entry): string => (isDeposit(record) ? record.txId : id)

interface Named {
  readonly outcome: Outcome.Outcome
  readonly deposits: ReadonlyArray<string>
  readonly transfers: ReadonlyArray<string>
}

const named = (outcome: Outcome.Outcome): Named => ({
  outcome,
  deposits: outcome.deposits.map(nameOf),
  transfers: outcome.transfers.map(nameOf)
})

const key = (code: string, deposits: ReadonlyArray<string>, transfers: ReadonlyArray<string>): string =>
  JSON.stringify([code, deposits.toSorted(), transfers.toSorted()])

const sentence = ({ outcome }: Named): string => `${outcome.code}: ${outcome.explanation}`

interface Search {
  readonly kinds: ReadonlyArray<KindCount>
  /** Outcomes that some break accounts for. */
  readonly claimed: ReadonlySet<Named>
  readonly differences: ReadonlyArray<Difference>
}

/** Looks for every break. */
const search = (outcomes: ReadonlyArray<Named>, breaks: ReadonlyArray<Truth.Break>): Search => {
  const byContent = new Map(outcomes.map((one) => [key(one.outcome.code, one.deposits, one.transfers), one]))
  const byName = new Map(
    outcomes.flatMap((one) => [...one.deposits, ...one.transfers].map((name) => [name, one] as const))
  )
  const claimed = new Set<Named>()
  const kinds = new Map<Truth.Kind, { readonly kind: Truth.Kind; planted: number; found: number }>()
  const differences: Array<Difference> = []

  const outcomesFor = (planted: Truth.Break): ReadonlyArray<Named | undefined> =>
    planted.kind === "crowd-unswept"
      ? planted.deposits.map((name) => byName.get(name)).map((one) =>
        one?.outcome.code === "class-short" ? one : undefined
      )
      : ExpectedOutcomes.by(planted).map(({ codes, deposits, transfers }) =>
        codes.map((code) => byContent.get(key(code, deposits, transfers))).find((one) => one !== undefined)
      )

  for (const planted of breaks) {
    const count = kinds.get(planted.kind) ?? { kind: planted.kind, planted: 0, found: 0 }
    kinds.set(planted.kind, count)
    count.planted++
    const found = outcomesFor(planted)
    for (const one of found) if (one !== undefined) claimed.add(one)
    if (!found.includes(undefined)) {
      count.found++
      continue
    }
    const told = [...planted.deposits, ...planted.transfers]
      .map((name) => `${name}: ${byName.get(name)?.outcome.code ?? "nothing"}`)
    differences.push({
      what: "not found",
      detail: `${planted.kind} in ${planted.account}; the report says ${told.join(", ")}`
    })
  }
  return { kinds: Array.from(kinds.values()), claimed, differences }
}

const invented = (outcomes: ReadonlyArray<Named>, claimed: ReadonlySet<Named>): Checked => {
  const differences = outcomes
    .filter((one) => one.outcome.outcome !== "matched" && !claimed.has(one))
    .map((one): Difference => ({ what: "invented", detail: sentence(one) }))
  return { count: differences.length, differences }
}

/** Pairs of a balanced class are shown by convention and state nothing. */
const isStated = ({ outcome }: Named): boolean => outcome.outcome === "matched" && outcome.code !== "class-balanced"

const isPair = ({ deposits, transfers }: Named): boolean => deposits.length === 1 && transfers.length === 1

const checkPairs = (outcomes: ReadonlyArray<Named>, partner: ReadonlyMap<string, string>): Checked => {
  const pairs = outcomes.filter((one) => isStated(one) && isPair(one)).flatMap(({ deposits, transfers }) =>
    deposits.flatMap((deposit) => transfers.map((transfer) => ({ deposit, transfer })))
  )
  const differences = pairs
    .filter(({ deposit, transfer }) => partner.get(deposit) !== transfer)
    .map(({ deposit, transfer }): Difference => ({
      what: "wrong pair",
      detail: `deposit ${deposit} was moved by ${partner.get(deposit) ?? "nothing"}, the report says ${transfer}`
    }))
  return { count: pairs.length, differences }
}

const content = ({ deposits, transfers }: Truth.Group): string => key("", deposits, transfers)

/** A group is true as a whole or not at all. */
const checkGroups = (outcomes: ReadonlyArray<Named>, truth: ReadonlySet<string>): Checked => {
  const groups = outcomes.filter((one) => isStated(one) && !isPair(one))
  const differences = groups
    .filter((one) => !truth.has(content(one)))
    .map((one): Difference => ({ what: "wrong group", detail: sentence(one) }))
  return { count: groups.length, differences }
}

/** Looks for every ordinary group. */
const searchGroups = (outcomes: ReadonlyArray<Named>, groups: ReadonlyArray<Truth.Group>): Checked => {
  const stated = new Set(outcomes.filter(isStated).map(content))
  const differences = groups
    .filter((group) => !stated.has(content(group)))
    .map(({ deposits, transfers }): Difference => ({
      what: "not found",
      detail: `${transfers.join(", ")} moved ${deposits.join(", ")}, and the report does not say so`
    }))
  return { count: groups.length, differences }
}

const checkClasses = (outcomes: ReadonlyArray<Named>, partner: ReadonlyMap<string, string>): Checked => {
  const classes = outcomes.filter(({ outcome }) => outcome.code === "class-balanced")
  const differences = classes
    .filter(({ deposits, transfers }) =>
      key("", [], deposits.map((name) => partner.get(name) ?? "nothing")) !== key("", [], transfers)
    )
    .map((one): Difference => ({ what: "wrong class", detail: sentence(one) }))
  return { count: classes.length, differences }
}

/** Compares outcomes with what was planted. */
export const compare = (all: ReadonlyArray<Outcome.Outcome>, { breaks, groups, pairs }: Truth.Truth): Comparison => {
  const outcomes = all.map(named)
  const partner = new Map([...pairs, ...breaks.flatMap((planted) => planted.pairs)].map(
    ({ deposit, transfer }) => [deposit, transfer] as const
  ))
  const found = search(outcomes, breaks)
  const extra = invented(outcomes, found.claimed)
  const stated = checkPairs(outcomes, partner)
  const whole = searchGroups(outcomes, groups)
  const together = checkGroups(
    outcomes,
    new Set([...groups, ...breaks.flatMap((planted) => planted.groups)].map(content))
  )
  const classes = checkClasses(outcomes, partner)
  return {
    kinds: found.kinds,
    invented: extra.count,
    pairs: stated.count,
    wrongPairs: stated.differences.length,
    groups: { planted: whole.count, found: whole.count - whole.differences.length },
    statedGroups: together.count,
    wrongGroups: together.differences.length,
    classes: classes.count,
    wrongClasses: classes.differences.length,
    differences: [found, whole, extra, stated, together, classes].flatMap(({ differences }) => differences)
  }
}

export const agrees = ({ differences }: Comparison): boolean => differences.length === 0

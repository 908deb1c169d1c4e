/**
 * What the tiers `exact` and `tolerant` have to say about few entries, found by trying every matching there is. Written
 * from the design, without the engine.
 */
import type * as Entry from "../../src/Entry.ts"

export interface Rules {
  readonly before: number
  readonly after: number
  readonly ratio: number
  readonly rivals: number
  /** In units: amounts of these tests are whole numbers. */
  readonly absolute: number
  /** Residuals below it are noise. */
  readonly noise: number
  readonly fee: number
  readonly requireReference: boolean
  readonly forbid: ReadonlyArray<{ readonly deposit: string; readonly transfer: string }>
}

interface Edge {
  readonly deposit: Entry.Entry
  readonly transfer: Entry.Entry
  readonly lag: number
  readonly residual: number
  /** A fee explains the pair. */
  readonly isFee: boolean
}

/** What cannot be told apart, and how many pairs it holds. */
export interface Class {
  readonly code: "class-balanced" | "class-short" | "ambiguous"
  /** Ids in alphabetical order. */
  readonly members: ReadonlyArray<string>
  readonly matched: number
}

export interface Answer {
  /** `exact d1 t1 forced`. */
  readonly stated: ReadonlyArray<string>
  readonly classes: ReadonlyArray<Class>
}

export const allowed = (deposit: Entry.Entry, transfer: Entry.Entry, rules: Rules): boolean => {
  const lag = transfer.at - deposit.at
  const known = deposit.account !== undefined && transfer.account !== undefined
  const keys = deposit.reference !== undefined && transfer.reference !== undefined
  return deposit.asset === transfer.asset && lag >= -rules.before && lag <= rules.after &&
    !(known && deposit.account !== transfer.account) &&
    !(rules.requireReference && keys && deposit.reference !== transfer.reference) &&
    !rules.forbid.some((pair) => pair.deposit === deposit.id && pair.transfer === transfer.id)
}

const everyMatching = (edges: ReadonlyArray<Edge>): ReadonlyArray<ReadonlyArray<Edge>> => {
  const found: Array<ReadonlyArray<Edge>> = []
  const visit = (from: number, taken: ReadonlyArray<Edge>): void => {
    found.push(taken)
    for (let index = from; index < edges.length; index++) {
      const edge = edges[index]!
      if (taken.some(({ deposit, transfer }) => deposit === edge.deposit || transfer === edge.transfer)) continue
      visit(index + 1, [...taken, edge])
    }
  }
  visit(0, [])
  return found
}

const parts = (edges: ReadonlyArray<Edge>): ReadonlyArray<ReadonlyArray<Edge>> => {
  const left = new Set(edges)
  const found: Array<ReadonlyArray<Edge>> = []
  for (const first of edges) {
    if (!left.delete(first)) continue
    const part = [first]
    for (let grown = true; grown;) {
      grown = false
      for (const edge of left) {
        if (!part.some(({ deposit, transfer }) => deposit === edge.deposit || transfer === edge.transfer)) continue
        left.delete(edge)
        part.push(edge)
        grown = true
      }
    }
    found.push(part)
  }
  return found
}

const total = (matching: ReadonlyArray<Edge>, of: (edge: Edge) => number): number =>
  matching.reduce((sum, edge) => sum + of(edge), 0)

const least = (
  matchings: ReadonlyArray<ReadonlyArray<Edge>>,
  of: (matching: ReadonlyArray<Edge>) => number
): ReadonlyArray<ReadonlyArray<Edge>> => {
  const best = Math.min(...matchings.map(of))
  return matchings.filter((matching) => of(matching) === best)
}

const isIn = (edge: Edge) => (matching: ReadonlyArray<Edge>): boolean => matching.includes(edge)

const rivalsOf = (edge: Edge, edges: ReadonlyArray<Edge>): ReadonlyArray<Edge> =>
  edges.filter((other) => other !== edge && (other.deposit === edge.deposit || other.transfer === edge.transfer))

/** What times say of a pair, as if all the amounts were equal. */
const byEqualAmounts = (
  edge: Edge,
  edges: ReadonlyArray<Edge>,
  rules: Rules,
  all: ReadonlyArray<Edge> = edges
): "forced" | "time" | undefined => {
  const largest = least(everyMatching(edges), (matching) => -matching.length)
  if (largest.every(isIn(edge))) return "forced"
  const nearest = least(largest, (matching) => total(matching, ({ lag }) => Math.abs(lag)))
  const rivals = rivalsOf(edge, all)
  const isDecisive = rivals.length <= rules.rivals &&
    rivals.every(({ lag }) => Math.abs(lag) > rules.ratio * Math.abs(edge.lag))
  return isDecisive && nearest.every(isIn(edge)) ? "time" : undefined
}

/** Amounts decide nothing where they may differ, but for what a fee leaves exactly and what the policy takes for noise. */
const byUnlikeAmounts = (edge: Edge, part: ReadonlyArray<Edge>, rules: Rules): string | undefined => {
  const all = byEqualAmounts(edge, part, rules)
  if (all === "forced") return "forced"
  const largest = least(everyMatching(part), (matching) => -matching.length)
  const byAmount = least(largest, (matching) => total(matching, ({ residual }) => Math.abs(residual)))
  const optimal = least(byAmount, (matching) => total(matching, ({ lag }) => Math.abs(lag)))
  if (!optimal.every(isIn(edge))) return undefined
  if (edge.residual === 0 && edge.isFee) {
    const found = byEqualAmounts(edge, part.filter(({ residual }) => residual === 0), rules, part)
    if (found !== undefined) return found === "forced" ? "amount" : "time"
  }
  const isNoise = ({ residual }: Edge): boolean => Math.abs(residual) < rules.noise
  if (isNoise(edge) && !rivalsOf(edge, part).some(isNoise)) return "amount"
  return all
}

const codeOf = ({ isFee, residual }: Edge): string => isFee ? "fee" : residual === 0 ? "exact" : "tolerant"

/** Whatever hangs together is decided at once: by the rules for equal amounts only where all of it is equal. */
const decide = (part: ReadonlyArray<Edge>, rules: Rules): Answer => {
  const amounts = part.flatMap(({ deposit, transfer }) => [Number(deposit.amount), Number(transfer.amount)])
  const isEqual = new Set(amounts).size === 1
  const stated: Array<string> = []
  const kept = new Set(part)
  for (const edge of part) {
    const decidedBy = isEqual ? byEqualAmounts(edge, part, rules) : byUnlikeAmounts(edge, part, rules)
    if (decidedBy === undefined) continue
    stated.push(`${codeOf(edge)} ${edge.deposit.id} ${edge.transfer.id} ${decidedBy}`)
    for (const other of part) {
      if (other.deposit === edge.deposit || other.transfer === edge.transfer) kept.delete(other)
    }
  }
  const classes = parts([...kept]).map((rest): Class => {
    const members = new Set(rest.flatMap(({ deposit, transfer }) => [deposit, transfer]))
    const matched = Math.max(...everyMatching(rest).map((matching) => matching.length))
    const code = !isEqual ? "ambiguous" : 2 * matched === members.size ? "class-balanced" : "class-short"
    return { code, members: [...members].map(({ id }) => id).toSorted(), matched }
  })
  return { stated, classes }
}

/** How a transfer fits a deposit, if it does. */
export const fit = (
  deposit: number,
  transfer: number,
  rules: Rules
): { readonly residual: number; readonly fee: boolean } | undefined => {
  const fits = [deposit, ...(rules.fee > 0 ? [deposit - rules.fee] : [])].flatMap((net, index) => {
    const residual = transfer - net
    const bound = Math.min(rules.absolute, Math.min(net, transfer) / 2)
    return net > 0 && Math.abs(residual) <= bound || residual === 0 ? [{ residual, fee: index === 1 }] : []
  })
  return fits.toSorted((a, b) => Math.abs(a.residual) - Math.abs(b.residual) || Number(a.fee) - Number(b.fee))[0]
}

/** The answer for entries whose amounts are whole numbers. */
export const answer = (
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>,
  rules: Rules
): Answer => {
  const pairs = deposits.flatMap((deposit) =>
    transfers.flatMap((transfer) =>
      allowed(deposit, transfer, rules) ? [{ deposit, transfer, lag: transfer.at - deposit.at }] : []
    )
  )
  const edges = pairs.flatMap((pair) => {
    const found = fit(Number(pair.deposit.amount), Number(pair.transfer.amount), rules)
    return found === undefined ? [] : [{ ...pair, residual: found.residual, isFee: found.fee }]
  })
  const answers = parts(edges).map((part) => decide(part, rules))
  return {
    stated: answers.flatMap(({ stated }) => stated).toSorted(),
    classes: answers.flatMap(({ classes }) => classes)
  }
}

/** The most pairs of equal amount, and the least total lag of as many. */
export const optimum = (
  deposits: ReadonlyArray<Entry.Entry>,
  transfers: ReadonlyArray<Entry.Entry>,
  rules: Rules
): { readonly count: number; readonly lag: number } => {
  const edges = deposits.flatMap((deposit) =>
    transfers.flatMap((transfer) =>
      allowed(deposit, transfer, rules) && Number(deposit.amount) === Number(transfer.amount)
        ? [{ deposit, transfer, lag: transfer.at - deposit.at, residual: 0, isFee: false }]
        : []
    )
  )
  let count = 0
  let lag = 0
  for (const part of parts(edges)) {
    const largest = least(everyMatching(part), (matching) => -matching.length)
    const [best = []] = least(largest, (matching) => total(matching, (edge) => Math.abs(edge.lag)))
    count += best.length
    lag += total(best, (edge) => Math.abs(edge.lag))
  }
  return { count, lag }
}

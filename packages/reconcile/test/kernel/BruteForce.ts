/** Every matching of a small graph, one by one: the definition, without any theory. */

export interface Edge {
  readonly deposit: number
  readonly transfer: number
  /** Compared in order, each summed on its own. */
  readonly cost: readonly [bigint, bigint]
}

export interface Verdict {
  /** The size of a maximum matching. */
  readonly size: number
  readonly cost: readonly [bigint, bigint]
  /** All matchings of maximum size, each a list of edge indices. */
  readonly maxima: ReadonlyArray<ReadonlyArray<number>>
  /** Those of least cost. */
  readonly optima: ReadonlyArray<ReadonlyArray<number>>
}

export const costOf = (edges: ReadonlyArray<Edge>, matching: ReadonlyArray<number>): readonly [bigint, bigint] =>
  matching.reduce<readonly [bigint, bigint]>(
    ([first, second], edge) => [first + edges[edge]!.cost[0], second + edges[edge]!.cost[1]],
    [0n, 0n]
  )

const compare = (a: readonly [bigint, bigint], b: readonly [bigint, bigint]): number =>
  a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0

export const judge = (deposits: number, edges: ReadonlyArray<Edge>): Verdict => {
  let size = 0
  let maxima: Array<ReadonlyArray<number>> = []
  const visit = (deposit: number, matching: ReadonlyArray<number>, taken: ReadonlySet<number>): void => {
    if (matching.length + deposits - deposit < size) return
    if (deposit === deposits) {
      if (matching.length > size) {
        size = matching.length
        maxima = []
      }
      maxima.push(matching)
      return
    }
    visit(deposit + 1, matching, taken)
    edges.forEach((edge, index) => {
      if (edge.deposit !== deposit || taken.has(edge.transfer)) return
      visit(deposit + 1, [...matching, index], new Set([...taken, edge.transfer]))
    })
  }
  visit(0, [], new Set())
  let cost = costOf(edges, maxima[0]!)
  let optima: Array<ReadonlyArray<number>> = []
  for (const matching of maxima) {
    const candidate = costOf(edges, matching)
    const order = compare(candidate, cost)
    if (order < 0) optima = []
    if (order <= 0) {
      cost = candidate
      optima.push(matching)
    }
  }
  return { size, cost, maxima, optima }
}

/** Whether an edge is in each of the matchings. */
export const inEach = (matchings: ReadonlyArray<ReadonlyArray<number>>, edge: number): boolean =>
  matchings.every((matching) => matching.includes(edge))

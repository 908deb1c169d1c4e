/** Whether nearness in time decides a pair of a graph. */
import * as ByTime from "../ByTime.ts"
import { f64, i32 } from "../Column.ts"
import type * as Bipartite from "./Bipartite.ts"

/** Calls `visit` with each rival of an edge, as an edge, until `visit` returns `false`. */
export const eachRival = (
  { deposit, incident, start, transfer }: Bipartite.Graph,
  edge: number,
  visit: (rival: number) => boolean
): void => {
  for (const vertex of [i32(deposit, edge), i32(transfer, edge)]) {
    for (let slot = i32(start, vertex); slot < i32(start, vertex + 1); slot++) {
      const rival = i32(incident, slot)
      if (rival !== edge && !visit(rival)) return
    }
  }
}

/**
 * Returns the nearest rival of an edge that time decides, or -1 if the edge has no rival; `undefined` if time does not
 * decide it.
 */
export const nearest = (
  graph: Bipartite.Graph,
  lags: Float64Array,
  rules: ByTime.Rules,
  edge: number
): number | undefined => {
  let count = 0
  let best = -1
  let isDecisive = true
  eachRival(graph, edge, (rival) => {
    count++
    if (best < 0 || f64(lags, rival) < f64(lags, best)) best = rival
    isDecisive = ByTime.areFew(rules, count) && ByTime.isFar(rules, f64(lags, rival), f64(lags, edge))
    return isDecisive
  })
  return isDecisive ? best : undefined
}

/** The figures of a report, counted again from its outcomes and from what was read, as `docs/reports.md` defines them. */
import type * as Entry from "@tallystick/reconcile/Entry"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Recount from "./Recount.ts"

const amounts = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<string> =>
  entries.filter(({ status }) => status !== "failed").map(({ amount }) => amount)

/** The smallest of the amounts that are left when so many are taken. */
const left = (entries: ReadonlyArray<Entry.Entry>, taken: number): ReadonlyArray<string> =>
  amounts(entries).toSorted((a, b) => (Recount.total([a]) === Recount.total([b]) ? 0 : Recount.isLess(a, b) ? -1 : 1))
    .slice(0, Math.max(0, entries.length - taken))

/** How much is missing or too much in a discrepancy, both together, and how well that is known. */
export const sizeOf = (outcome: Outcome.Outcome): readonly [size: string, bound: string] => {
  const { because, code, deposits, openSum, residual, transfers } = outcome
  const all = Recount.total([...amounts(deposits), ...amounts(transfers)])
  switch (code) {
    case "amount-mismatch":
    case "late":
    case "early":
    case "account-mismatch":
      return [(residual ?? "0").replace("-", ""), "exact"]
    case "class-short":
      return [
        openSum ?? "0",
        because?.code === "short-of-counterparts" && because.unread === 0 ? "exact" : "at most"
      ]
    case "split-incomplete":
      return [openSum ?? "0", "exact"]
    case "reversed":
      return ["0", "exact"]
    case "wrong-direction":
      return [Recount.total(amounts(deposits)), "at least"]
    case "asset-mismatch":
      return [Recount.total(amounts(deposits)), "at most"]
    case "missing-transfer":
    case "missing-deposit":
    case "failed-attempt":
      return [all, "exact"]
    case "ambiguous": {
      const pairs = because?.code === "several-pairings"
        ? outcome.matchedCount
        : because?.code === "outside-windows"
        ? Math.min(because.deposits, because.transfers)
        : undefined
      const least = pairs === undefined ? "0" : Recount.total([...left(deposits, pairs), ...left(transfers, pairs)])
      return least === "0" ? [all, "at most"] : [least, least === all ? "exact" : "at least"]
    }
    default:
      return [all, "at most"]
  }
}

const join = (bounds: ReadonlyArray<string>): string => {
  const [below, above] = [bounds.includes("at least"), bounds.includes("at most")]
  return below && above ? "about" : below ? "at least" : above ? "at most" : "exact"
}

/** Every moment that no part of an operation's range was read in counts once, whatever the number of queries. */
const unread = ({ unread }: Report.Report) =>
  (["deposits", "transfers"] as const).map((operation) => {
    const own = unread.filter((gap) => gap.operation === operation)
    const edges = Array.from(new Set(own.flatMap(({ from, to }) => [from, to]))).toSorted((a, b) => a - b)
    return edges.slice(1).reduce((ms, to, index) => {
      const from = edges[index] ?? to
      return own.some((gap) => gap.from <= from && to <= gap.to) ? ms + to - from : ms
    }, 0)
  })

/** All of them, of a report with entries of one name an asset. */
export const of = (report: Report.Report) => {
  const { asOf, outcomes, policy } = report
  const nameOf = (asset: string): string => policy.assets.aliases.find((names) => names.includes(asset))?.[0] ?? asset
  const all = outcomes.filter(({ accepted, outcome }) => outcome === "discrepancy" && accepted === undefined)
  const open = all.filter(Recount.isOwn(report))
  const timesOf = ({ deposits, transfers }: Outcome.Outcome) => [...deposits, ...transfers].map(({ at }) => at)
  const first = Math.min(...open.flatMap(timesOf))
  const sizes = open.flatMap((outcome) => {
    const { code, deposits, transfers } = outcome
    const [size, bound] = sizeOf(outcome)
    return [
      { asset: nameOf((deposits[0] ?? transfers[0])?.asset ?? ""), size, bound },
      ...(code === "asset-mismatch"
        ? transfers.map(({ amount, asset }) => ({ asset, size: Recount.total([amount]), bound }))
        : [])
    ]
  })
  const assets = Map.groupBy(sizes, ({ asset }) => asset)
  return {
    open: open.length,
    openOfOtherDays: all.length - open.length,
    sizes: Array.from(assets, ([asset, own]) => ({
      asset,
      size: Recount.total(own.map(({ size }) => size)),
      bound: join(own.map(({ bound }) => bound))
    })).filter(({ size }) => size !== "0").toSorted((a, b) => (a.asset < b.asset ? -1 : 1)),
    oldest: open.length === 0 || asOf === null ? null : Math.max(0, asOf - first),
    unread: unread(report)
  }
}

/** What the report speaks of: accounts, addresses, decisions, prices, what was read, and the policy. */
import { useContext } from "preact/hooks"
import * as Identity from "../../../src/Identity.ts"
import * as Headline from "../../../src/internal/content/Headline.ts"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import * as Text from "../../../src/text/Text.ts"
import type { Times } from "../../../src/text/Times.ts"
import { CoverageChart } from "../charts/CoverageChart.tsx"
import { Clock, zoneOf } from "../Clock.ts"
import { CountText } from "../components/CountText.tsx"
import type { Medium } from "../Look.ts"

const accountsOf = ({ complete, count, provenAt }: Facts["summary"]["accounts"], { bound }: Times): string =>
  complete && provenAt !== undefined
    ? `${Text.count(count)} as the exchange lists them, complete as it listed them at ${bound(provenAt)}`
    : `${count === 0 ? "none given" : `${Text.count(count)} given`}, ${
      complete ? "confirmed complete" : "not confirmed complete"
    }`

const rangeOf = (range: Facts["summary"]["range"], { bound }: Times): string =>
  range === null ? "everything that was read" : `${bound(range.from)} to ${bound(range.to)}, end excluded`

const readOf = ({ asOf, coverage }: Facts["summary"], { bound }: Times): string => {
  if (asOf === null) return "nothing"
  const first = coverage.reduce((first, { readAt }) => Math.min(first, readAt), asOf)
  return first === asOf ? bound(asOf) : `${bound(first)} to ${bound(asOf)}`
}

const factsOf = (
  { currency, prices, summary, zone }: Facts,
  times: Times
): ReadonlyArray<readonly [label: string, text: string | undefined]> => {
  const { accounts, addresses, lags, range } = summary
  return [
    ["Range", rangeOf(range, times)],
    ["Data read", readOf(summary, times)],
    ["Accounts", `${accountsOf(accounts, times)}; ${Text.counted(addresses.count, "address", "addresses")} known`],
    [Headline.SWEEP, lags === null ? undefined : Headline.sweepOf(lags)],
    ["Prices", prices === null ? undefined : Headline.pricesOf(summary, new Map(prices), currency ?? undefined)],
    ...Identity.facts(summary, zoneOf(zone)).map(({ label, text }) => [label, text] as const)
  ]
}

export const Scope = ({ facts, medium }: { readonly facts: Facts; readonly medium: Medium }) => {
  const times = useContext(Clock)
  const { decisions, policy } = facts.summary
  return (
    <>
      <section aria-labelledby="scope">
        <h2 id="scope">Scope</h2>
        <dl class="card facts">
          {factsOf(facts, times).map(([label, text]) =>
            text === undefined ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <bdi>
                    <CountText text={Text.plain(text)} />
                  </bdi>
                </dd>
              </div>
            )
          )}
          {decisions === undefined ? null : (
            <div>
              <dt>Decisions</dt>
              <dd>
                {Text.counted(decisions.applied, "decision")} followed; the ledger ends at{" "}
                <code>{`${decisions.head.number}@${decisions.head.id}`}</code>
              </dd>
            </div>
          )}
        </dl>
      </section>
      {facts.lanes.length === 0 ? null : (
        <section aria-labelledby="coverage">
          <h2 id="coverage">Coverage</h2>
          <CoverageChart lanes={facts.lanes} narrow={medium.narrow} />
        </section>
      )}
      <section aria-labelledby="policy">
        <h2 id="policy">Policy</h2>
        <details open={medium.printing}>
          <summary>What may belong together, with every default</summary>
          <pre
            tabIndex={0}
          >{JSON.stringify(policy, undefined, 2).split("\n").map((line) => Text.plain(line)).join("\n")}</pre>
        </details>
      </section>
    </>
  )
}

/** Whether the books agree, and what that sentence speaks of. */
import { useContext } from "preact/hooks"
import * as Headline from "../../src/internal/content/Headline.ts"
import * as LeftOut from "../../src/internal/content/LeftOut.ts"
import * as Warnings from "../../src/internal/content/Warnings.ts"
import type { Facts } from "../../src/internal/html/Facts.ts"
import * as Text from "../../src/text/Text.ts"
import { duration, type Times } from "../../src/text/Times.ts"
import * as Verdict from "../../src/Verdict.ts"
import { Clock } from "./Clock.ts"
import { CountText } from "./CountText.tsx"

const signs = {
  good: { path: "M5 12.5l4.5 4.5L19 7.5", label: "The books agree" },
  doubtful: { path: "M9 9a3 3 0 1 1 4.6 2.5c-1 .7-1.6 1.2-1.6 2.5M12 17.6v.2", label: "It cannot be said" },
  bad: { path: "M7 7l10 10M17 7L7 17", label: "The books do not agree" }
} as const

const percent = ({ matched, of }: { readonly matched: number; readonly of: number }): string => {
  if (of === 0) return "none"
  const tenths = Math.floor((matched * 1000) / of)
  return `${Text.count(matched)} of ${Text.count(of)} (${Math.floor(tenths / 10)}.${tenths % 10} %)`
}

const accountsOf = ({ complete, count, provenAt }: Facts["summary"]["accounts"], { bound }: Times): string =>
  complete && provenAt !== undefined
    ? `${Text.count(count)} as the exchange lists them, proven complete as listed at ${bound(provenAt)}`
    : `${count === 0 ? "none given" : `${Text.count(count)} given`}, ${
      complete ? "vouched complete" : "not vouched complete"
    }`

export const Heading = ({ facts }: { readonly facts: Facts }) => {
  const times = useContext(Clock)
  const { summary } = facts
  const { accounts, addresses, asOf, coverage, decisions, lags, matchRate, range } = summary
  const warnings = Warnings.of(summary)
  const grade = Verdict.grade(summary)
  const { label, path } = signs[grade]
  const [claim = "", ...rest] = Text.plain(Verdict.sentence(summary)).split(": ")
  const readings = coverage.map(({ readAt }) => readAt)
  const first = readings.length === 0 ? asOf : readings.reduce((a, b) => Math.min(a, b))
  return (
    <header class={`verdict ${grade}`}>
      <svg class="sign" viewBox="0 0 24 24" role="img" aria-label={label}>
        <circle cx="12" cy="12" r="11" />
        <path d={path} />
      </svg>
      <div>
        <h1>
          <span class="claim">{claim}</span>
          <span class="unseen">:</span>{" "}
          <span class="doubts">
            <CountText text={rest.join(": ")} />
          </span>
        </h1>
        <p class="meaning">{Text.plain(summary.meaning)}</p>
        {warnings.length === 0 ? null : (
          <ul class="warnings" aria-label="Warnings">
            {warnings.map((warning, index) => (
              <li key={index}>
                <strong>Warning:</strong> {Text.plain(warning)}
              </li>
            ))}
          </ul>
        )}
        <dl class="facts">
          <div>
            <dt>Range</dt>
            <dd>
              {range === null
                ? "everything that was read"
                : `${times.bound(range.from)} to ${times.bound(range.to)}, end excluded`}
            </dd>
          </div>
          <div>
            <dt>Data read</dt>
            <dd>
              {asOf === null || first === null
                ? "nothing"
                : first === asOf
                ? times.bound(asOf)
                : `${times.bound(first)} to ${times.bound(asOf)}`}
            </dd>
          </div>
          <div>
            <dt>Times</dt>
            <dd>{times.zone}</dd>
          </div>
          <div>
            <dt>Accounts</dt>
            <dd>
              <CountText
                text={`${accountsOf(accounts, times)}; ${Text.counted(addresses.count, "address", "addresses")} known`}
              />
            </dd>
          </div>
          {decisions === undefined ? null : (
            <div>
              <dt>Decisions</dt>
              <dd>
                {Text.counted(decisions.applied, "decision")} followed; the ledger ends at{" "}
                <code>{`${decisions.head.number}@${decisions.head.id}`}</code>
              </dd>
            </div>
          )}
          <div>
            <dt>Deposits matched</dt>
            <dd>
              <CountText text={percent(matchRate.deposits)} />
            </dd>
          </div>
          <div>
            <dt>Transfers matched</dt>
            <dd>
              <CountText text={percent(matchRate.transfers)} />
            </dd>
          </div>
          {lags === null ? null : (
            <div>
              <dt>Lag</dt>
              <dd>
                half of <CountText text={Text.counted(lags.count, "stated pair")} /> within {duration(lags.p50)}, 90 %
                {" "}
                {duration(lags.p90)}
                , 99 % {duration(lags.p99)}, longest {duration(lags.max)}
              </dd>
            </div>
          )}
          {LeftOut.facts(facts.carries).map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <CountText text={text} />
              </dd>
            </div>
          ))}
          {facts.prices === null ? null : (
            <div>
              <dt>Prices</dt>
              <dd>
                <bdi>{Text.plain(Headline.pricesOf(summary, new Map(facts.prices)))}</bdi>
              </dd>
            </div>
          )}
        </dl>
      </div>
    </header>
  )
}

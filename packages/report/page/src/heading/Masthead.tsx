/** What the page is: whose report, of which range, in which zone, by which run. */
import { useContext } from "preact/hooks"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import { Clock } from "../Clock.ts"

/** Four notches and one across: how a tally is kept. */
const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M5 4v16M9.5 4v16M14 4v16M18.5 4v16M2.5 17L21.5 7" />
  </svg>
)

export const Masthead = ({ facts }: { readonly facts: Facts }) => {
  const times = useContext(Clock)
  const { asOf, coverage, range } = facts.summary
  const readings = coverage.map(({ readAt }) => readAt)
  const first = readings.length === 0 ? asOf : readings.reduce((a, b) => Math.min(a, b))
  return (
    <div class="masthead">
      <p class="brand">
        <Mark />
        Tallystick
      </p>
      <p class="title">
        {range === null
          ? "Everything that was read"
          : `${times.bound(range.from)} to ${times.bound(range.to)}, end excluded`}
      </p>
      <dl class="identity">
        <div>
          <dt>Times</dt>
          <dd>{times.zone}</dd>
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
      </dl>
    </div>
  )
}

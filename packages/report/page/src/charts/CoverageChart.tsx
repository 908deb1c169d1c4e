/** What was read of each side over time, with its gaps. */
import { useContext } from "preact/hooks"
import type { Lane, Segment, State } from "../../../src/internal/html/CoverageLanes.ts"
import * as Text from "../../../src/text/Text.ts"
import { Clock } from "../Clock.ts"
import { CountText } from "../components/CountText.tsx"
import { Figure } from "./Figure.tsx"
import * as Moments from "./Moments.ts"

const names: Readonly<Record<State, string>> = {
  complete: "complete",
  open: "too young to be settled",
  gap: "not proven complete",
  partly: "not reached by every query",
  unread: "not read"
}

/** Gaps are drawn last: the smallest of them is seen. */
const weight = ({ state }: Segment): number => (state === "complete" ? 0 : state === "open" ? 1 : 2)

const share = (part: number, whole: number): string => `${(100 * part) / whole}%`

/** So many moments are named below the lanes. */
const MOMENTS = { wide: 8, narrow: 4 } as const

interface Props {
  readonly lanes: ReadonlyArray<Lane>
  readonly narrow: boolean
}

export const CoverageChart = ({ lanes, narrow }: Props) => {
  const times = useContext(Clock)
  const [from, to] = [lanes[0]?.segments[0]?.from, lanes[0]?.segments.at(-1)?.to]
  if (from === undefined || to === undefined) return null
  const x = (at: number): string => share(at - from, to - from)
  const ticks = Moments.moments(times, from / 1000, to / 1000, narrow ? MOMENTS.narrow : MOMENTS.wide)
  const labels = Moments.labels(times, ticks, from / 1000, to / 1000)
  const present = new Set(lanes.flatMap(({ segments }) => segments.map(({ state }) => state)))
  const title = "What was read"
  const why = ({ details }: Segment): string => Text.plain(details.join("; "))
  const whole = lanes.every(({ segments }) => segments.every(({ state }) => state === "complete"))
  return (
    <Figure
      wide
      title={title}
      note={whole ?
        undefined :
        lanes.flatMap(({ operation, segments }) =>
          segments.filter(({ state }) => state !== "complete" && state !== "open").slice(0, 3).map((segment) =>
            `${operation} ${names[segment.state]} from ${times.bound(segment.from)} to ${times.bound(segment.to)}${
              why(segment) === "" ? "" : `: ${why(segment)}`
            }`
          )
        ).join(". ") || undefined}
      columns={["Side", "from", "to", "state", "why"]}
      rows={lanes.flatMap(({ operation, segments }) =>
        segments.map((segment) => [
          operation,
          times.bound(segment.from),
          times.bound(segment.to),
          names[segment.state],
          why(segment)
        ])
      )}
    >
      <div
        class="lanes"
        role="img"
        aria-label={`${title}: ${whole ? "all of it" : "there are gaps"}. The intervals follow as a table.`}
      >
        {lanes.map(({ operation, queries, segments }) => (
          <div key={operation} class="lane">
            <span class="name">
              {operation}
              {queries > 1 ?
                (
                  <small>
                    <CountText text={`${Text.count(queries)} queries`} />
                  </small>
                ) :
                null}
            </span>
            <svg width="100%" height="22" aria-hidden="true">
              <defs>
                <pattern
                  id={`hatch-${operation}`}
                  width="6"
                  height="6"
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width="6" height="6" class="hatch-ground" />
                  <rect width="2.5" height="6" class="hatch-line" />
                </pattern>
              </defs>
              {segments.toSorted((a, b) => weight(a) - weight(b)).map((segment) => (
                <rect
                  key={segment.from}
                  class={`segment ${segment.state}`}
                  x={x(segment.from)}
                  width={share(segment.to - segment.from, to - from)}
                  y="1"
                  height="20"
                  {...(segment.state === "complete" || segment.state === "open"
                    ? {}
                    : { fill: `url(#hatch-${operation})` })}
                />
              ))}
            </svg>
          </div>
        ))}
        <div class="lane ticks">
          <span class="name" />
          <svg width="100%" height="18" aria-hidden="true">
            {ticks.map((tick, index) => (
              <text
                key={tick}
                x={x(tick * 1000)}
                y="13"
                text-anchor={(tick * 1000 - from) / (to - from) < 0.03
                  ? "start"
                  : (to - tick * 1000) / (to - from) < 0.03
                  ? "end"
                  : "middle"}
              >
                {labels[index]}
              </text>
            ))}
          </svg>
        </div>
      </div>
      <ul class="key">
        {(["complete", "open", "partly", "gap", "unread"] as const).filter((state) => present.has(state)).map((
          state
        ) => (
          <li key={state}>
            <span class={`swatch ${state}`} aria-hidden="true" />
            {names[state]}
          </li>
        ))}
      </ul>
    </Figure>
  )
}

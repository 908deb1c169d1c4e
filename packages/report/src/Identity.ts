/** Says which report this is: its title, the facts by which somebody can cite it, and the name of its file. */
import type * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"
import * as RangeTitle from "./internal/content/RangeTitle.ts"
import * as Text from "./text/Text.ts"
import * as Times from "./text/Times.ts"

type Identified = Pick<Report.Summary, "identity" | "range">

/** Returns the title: `Tuesday 17 November 2026, Europe/Berlin`, behind the name of those whose books they are. It may hold a stranger's text. */
export const title = ({ identity, range }: Identified, zone: DateTime.TimeZone | undefined): string => {
  const of = RangeTitle.of(range, zone)
  return identity?.title === undefined ? of : `${identity.title}: ${of}`
}

/** A fact, with the name under which it stands. */
export interface Fact {
  readonly label: string
  readonly text: string
}

const made = ({ madeAt, madeBy, program }: Report.Identity, times: Times.Times): string =>
  [
    ...(madeAt === undefined ? [] : [`at ${times.bound(madeAt)} (${times.zone})`]),
    ...(madeBy === undefined ? [] : [`by ${madeBy}`]),
    ...(program === undefined ? [] : [`with ${program}`])
  ].join(" ")

/** Returns the facts in the order in which they are read. Texts may hold strangers' names. */
export const facts = (
  { identity = {} }: Identified,
  zone: DateTime.TimeZone | undefined
): ReadonlyArray<Fact> => {
  const times = Times.make(zone)
  const { approved, archive, closed, exchange, ledger, policy, run } = identity
  const all: ReadonlyArray<readonly [label: string, text: string | undefined]> = [
    ["Exchange", exchange],
    ["Archive", archive],
    ["Run", run],
    ["Ledger", ledger === undefined ? undefined : `${ledger.number}@${ledger.id}`],
    ["Policy", policy],
    ["Made", made(identity, times) || undefined],
    [
      "Approved",
      approved === undefined
        ? undefined
        : `${Text.counted(approved.decisions, "decision")} that it follows, by ${Text.listed(approved.by)}`
    ],
    [
      "Closed",
      closed === undefined
        ? undefined
        : `at ${times.bound(closed.at)} (${times.zone}) by ${closed.by}, row ${closed.number} of the ledger`
    ]
  ]
  return all.flatMap(([label, text]) => (text === undefined ? [] : [{ label, text }]))
}

/** Letters, digits, points and hyphens go into the name of a file; all else becomes one hyphen. */
const slug = (text: string): string => text.replaceAll(/[^A-Za-z0-9.]+/g, "-").replaceAll(/^[-.]+|[-.]+$/g, "")

/** So many characters of a run's id tell it apart from others. */
const RUN = 5

/**
 * Suggests the name of a file, without its ending: `tallystick-2026-11-17-Europe-Berlin-r3f2a`. It holds no text of a stranger but the name of the zone.
 */
export const fileName = ({ identity, range }: Identified, zone: DateTime.TimeZone | undefined): string => {
  const times = Times.make(zone)
  const day = (ms: number): string => slug(times.bound(ms).slice(0, 10))
  const days = range === null
    ? ["everything"]
    : Array.from(new Set([day(range.from), day(Math.max(range.from, range.to - 1))]))
  return [
    "tallystick",
    ...days,
    slug(times.zone),
    ...(identity?.run === undefined ? [] : [slug(identity.run.slice(0, RUN))])
  ]
    .join("-")
}

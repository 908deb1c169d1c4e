/** An archive's status for programs. Times are Unix ms. */
import * as Status from "@tallystick/archive/Status"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import type * as StatusView from "./StatusView.ts"

const side = ({ counts, disbelievedSince, first, last, lost, readTo, scopes }: StatusView.Side) => ({
  ...counts,
  first,
  last,
  readTo,
  disbelievedSince,
  completeTo: Status.completeTo(scopes),
  gaps: Status.holes(scopes),
  lost: lost.map(({ from, to }) => ({ from, to })),
  coverage: scopes.map(({ completeTo, parts, query }) => ({
    ...(query === undefined ? {} : { query }),
    completeTo,
    parts
  }))
})

/** Ends in a line break. */
export const render = (
  { deadline, interval, now, place, sides, stamps, subAccounts }: StatusView.StatusView,
  holder: string | undefined
): string =>
  `${
    SafeJson.stringify({
      place,
      // The recorded state: `archive check` reads the records themselves.
      verified: false,
      stamps,
      holder: holder ?? null,
      now,
      deadline,
      range: interval,
      ...Object.fromEntries(sides.map((one) => [one.operation, side(one)])),
      subAccounts
    }, 2)
  }\n`

/** An archive's status for programs. Times are Unix ms. */
import * as Status from "@tallystick/archive/Status"
import type * as SyncStatus from "@tallystick/archive/SyncStatus"
import * as SafeJson from "@tallystick/report/text/SafeJson"

const side = ({ counts, disbelievedSince, first, last, lost, readTo, scopes }: SyncStatus.Side) => ({
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
  { deadline, interval, now, place, sides, stamps, subAccounts }: SyncStatus.SyncStatus,
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

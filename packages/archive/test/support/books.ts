/** Executions over the archive on which people decide, and what waits after them in words. */
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Archive from "../../src/Archive.ts"
import * as ArchiveReconciliation from "../../src/ArchiveReconciliation.ts"
import * as OpenItems from "../../src/OpenItems.ts"
import { clerk, DAY, HOUR, MINUTE } from "./decisions.ts"
import { NOW, transfer } from "./records.ts"

export const near = { from: NOW - HOUR, to: NOW + HOUR }
export const far = { from: NOW - 4 * DAY - HOUR, to: NOW - 4 * DAY + HOUR }

export const options = (range = near, policy = Policy.defaults, list: ReadonlyArray<string> = ["a@x"]) => ({
  range,
  accounts: { list, complete: true },
  policy
})

export const book = (
  asked: ArchiveReconciliation.Options = options(),
  how: Partial<ArchiveReconciliation.BookOptions> = {}
) => ArchiveReconciliation.book(asked, { author: clerk, ...how })

/** What waits, in words. */
export const waiting = (execution?: number) =>
  Effect.map(
    OpenItems.OpenItems.use(({ list }) => list(execution)),
    (items) =>
      items.map(({ code, entries, since, state }) =>
        `${state} ${code} since ${since}: ${
          entries.map(({ amount, asset, side }) => `${side} ${amount} ${asset}`).join(" + ")
        }`
      )
  )

/** The lines of a roll-forward that are not zero, in words. */
export const rolled = (execution: number) =>
  Effect.map(
    OpenItems.OpenItems.use(({ rollForward }) => rollForward(execution)),
    (lines) =>
      lines.map(({ asset, side, state, ...line }) =>
        `${side} ${asset} ${state}: ${
          Object.entries(line).filter(([, { count, sum }]) => count !== 0 || sum !== "0")
            .map(([name, { count, sum }]) => `${name} ${count} ${sum}`).join(", ")
        }`
      )
  )

/** Why the books are not brought forward. */
export const refused = (asked: ArchiveReconciliation.Options) =>
  Effect.map(Effect.flip(book(asked)), ({ message }) => message)

/** Reads the time of a transfer once more, an hour later than all was read, and finds it there. */
export const arrives = (late: ReturnType<typeof transfer>) =>
  Archive.Archive.use(({ transfers }) => {
    const slice = { from: late.timestamp, to: late.timestamp + 1 }
    const readAt = NOW + 6 * DAY + HOUR
    return transfers.saveSlice({
      ...slice,
      records: [late],
      bad: [],
      coverage: [{ operation: "transfers", ...slice, readAt, state: "complete" }]
    })
  })

export const swept = transfer({ tranId: "t3", asset: "BTC", amount: "3", timestamp: NOW + MINUTE })

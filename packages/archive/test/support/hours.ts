/** Records that are told by the hour, of one account; a test counts its hours from the beginning of a day. */
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as Archive from "../../src/Archive.ts"
import * as OpenItems from "../../src/OpenItems.ts"
import { deposit, NOW, transfer } from "./records.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Math.floor(NOW / DAY) * DAY

/** The moment that is so many hours from there, Unix ms. */
export const at = (hours: number): number => Math.round(START + hours * HOUR)

export const accounts = { list: ["a@x"], complete: true }
export const author = { by: "clerk", identity: "token" } as const

/** The status is 5, settled, unless given. */
export type Told = readonly [id: string, hours: number, amount: string, status?: number]

interface How {
  /** The address of a deposit by its transaction; one for all unless given. */
  readonly address?: (txId: string) => string
  /** The query of the transfers; all that there are unless given. */
  readonly query?: Coverage.TransferQuery
}

/** Reads `[from, to)` (hours), of one query where one is given, and finds these records in it. */
export const read = Effect.fnUntraced(function*(
  [from, to, readAt = to]: readonly [from: number, to: number, readAt?: number],
  deposits: ReadonlyArray<Told>,
  transfers: ReadonlyArray<Told>,
  { address = () => "an address", query }: How = {}
) {
  const archive = yield* Archive.Archive
  const slice = { from: at(from), to: at(to), bad: [] }
  const complete = { from: at(from), to: at(to), readAt: at(readAt), state: "complete" as const }
  const isInside = ([, hours]: Told): boolean => hours >= from && hours < to
  yield* archive.deposits.saveSlice({
    ...slice,
    records: deposits.filter(isInside).map(([txId, hours, amount, status = 5]) =>
      deposit({ txId, address: address(txId), insertTime: at(hours), amount, status })
    ),
    coverage: [{ operation: "deposits", ...complete }]
  })
  yield* archive.transfers.saveSlice({
    ...slice,
    records: transfers.filter(isInside).map(([tranId, hours, amount]) =>
      transfer({ tranId, timestamp: at(hours), amount })
    ),
    coverage: [{ operation: "transfers", ...complete, ...(query === undefined ? {} : { query }) }]
  }, query)
})

/** The entries that wait, each with its state and code. */
export const waiting = Effect.map(
  OpenItems.OpenItems.use(({ list }) => list()),
  (items) =>
    items.flatMap(({ code, entries, state }) => entries.map(({ id }) => `${state} ${code} ${id.split("~")[0]}`))
      .toSorted()
)

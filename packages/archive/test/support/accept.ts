/** Discrepancies that somebody accepts, as the books tell them. */
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Archive from "../../src/Archive.ts"
import * as ArchiveReconciliation from "../../src/ArchiveReconciliation.ts"
import type * as Decision from "../../src/Decision.ts"
import * as OpenItems from "../../src/OpenItems.ts"
import { options } from "./books.ts"
import { DAY, decide } from "./decisions.ts"
import { NOW } from "./records.ts"

export const known = { reason: "write-off", words: "ours, ticket 12" } as const

/** The id of the outcome in which an entry of the books stands. */
export const outcomeOf = (entry: Pick<Decision.Subject, "id" | "side">) =>
  Effect.map(
    OpenItems.OpenItems.use(({ story }) => story(entry)),
    (story) => Option.getOrThrow(story).entry.outcome
  )

export const t1 = { side: "transfer", id: "t1" } as const

/** Accepts the outcome in which an entry stands. */
export const accept = Effect.fnUntraced(function*(
  entry: Pick<Decision.Subject, "id" | "side"> = t1,
  more: { readonly provisional?: boolean } = {}
) {
  const [made] = yield* decide([{ kind: "accept", outcome: yield* outcomeOf(entry), ...known, ...more }])
  return made
})

/** The service tells of a transfer once more. */
export const tells = (
  record: Parameters<Archive.Service["transfers"]["savePage"]>[0]["records"][number],
  readAt: number
) => Archive.Archive.use(({ transfers }) => transfers.savePage({ records: [record], bad: [], readAt }))

/** Deposits of which nothing else is told. */
export const arrived = (...records: Parameters<Archive.Service["deposits"]["savePage"]>[0]["records"]) =>
  Archive.Archive.use(({ deposits }) => deposits.savePage({ records, bad: [], readAt: NOW + 6 * DAY }))

/** What a report says of accepted outcomes and of decisions, which its stream says as well. */
export const told = Effect.fnUntraced(function*(policy = Policy.defaults) {
  const asked = options(undefined, policy)
  const { outcomes, ...summary } = yield* ArchiveReconciliation.run(asked)
  const events = yield* Stream.runCollect(ArchiveReconciliation.events(asked))
  const streamed = events.flatMap((event) => event._tag === "Outcome" ? [event.outcome] : [])
  const last = events.flatMap((event) => event._tag === "Summary" ? [event.summary] : [])
  return { ...summary, outcomes, streamed, last }
})

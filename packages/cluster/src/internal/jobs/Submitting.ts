/** What it takes to submit a question. */
import * as Archive from "@tallystick/archive/Archive"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import type * as Question from "../../Question.ts"
import * as Identity from "./Identity.ts"
import * as JobTable from "./JobTable.ts"

/**
 * Gives the id of the job that a question is, and what keeps it. A job whose execution is the last row of the ledger, and which was asked
 * the same of the same, is that job: it is done, whatever was told of it. One that is done, and of which the ledger has nothing, begins anew.
 */
export const prepare = Effect.fnUntraced(function*(question: Question.Question) {
  const jobs = yield* JobTable.JobTable
  const asked = yield* Identity.of(question)
  const before = (yield* jobs.list(asked.id, 1)).at(0)
  const { executions } = yield* Books.Books
  const { ledgerEnd } = yield* Archive.Archive
  const all = yield* executions
  const last = all.at(-1)
  const isLast = last !== undefined && last.id === (yield* ledgerEnd).id
  const job = isLast ? last.body.job : undefined
  if (last !== undefined && job !== undefined && (yield* jobs.same(asked, job))) {
    return { id: job, keep: jobs.booked(job, { run: last.body.run, execution: last.body.number }) }
  }
  // It was done, and the archive may have been restored since from a backup of an earlier time.
  const isGone = before?.state === "done" && !all.some(({ body }) => body.job === before.id)
  return { id: asked.id, keep: isGone ? jobs.anew(asked, before.attempt) : jobs.submit(asked) }
})

/** What it takes to submit a question. */
import * as Archive from "@tallystick/archive/Archive"
import * as Books from "@tallystick/archive/Books"
import * as Effect from "effect/Effect"
import type * as Question from "../../Question.ts"
import * as Identity from "./Identity.ts"
import * as JobTable from "./JobTable.ts"

/**
 * Gives the id of the job that a question is, and what keeps it. A job whose execution is the last row of the ledger, and which was asked
 * the same of the same, is that job: then there is nothing to keep.
 */
export const prepare = Effect.fnUntraced(function*(question: Question.Question) {
  const jobs = yield* JobTable.JobTable
  const asked = yield* Identity.of(question)
  const { executions } = yield* Books.Books
  const { ledgerEnd } = yield* Archive.Archive
  const last = (yield* executions).at(-1)
  const isLast = last !== undefined && last.id === (yield* ledgerEnd).id
  const { job } = isLast ? last.body : {}
  if (job !== undefined && (yield* jobs.same(asked, job))) return { id: job, keep: Effect.void }
  return { id: asked.id, keep: jobs.submit(asked) }
})

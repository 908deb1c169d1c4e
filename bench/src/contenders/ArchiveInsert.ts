import * as Archive from "@tallystick/archive/Archive"
import type * as Coverage from "@tallystick/core/Coverage"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type { Inserter, Save } from "../inserting/Inserter.ts"

const query = { fromAccount: "sub-000", fromAccountType: "SPOT", toAccountType: "SPOT" }

/** Page by page through the archive, as a sync does. */
export const archiveInsert: Inserter = {
  prepare: async (file) => {
    const runtime = ManagedRuntime.make(Archive.Archive.layerSqlite({ file }))
    const archive = await runtime.runPromise(Archive.Archive)
    const saving =
      <Record>(history: Archive.History<Record>, query?: Coverage.TransferQuery): Save<Record> => (pages, readAt) =>
        runtime.runPromise(Effect.gen(function*() {
          let added = 0
          for (const records of pages) added += (yield* history.savePage({ records, bad: [], readAt }, query)).added
          return added
        }))
    return { deposits: saving(archive.deposits), transfers: saving(archive.transfers, query) }
  }
}

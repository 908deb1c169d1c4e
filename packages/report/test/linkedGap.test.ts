import { assert, describe, it } from "@effect/vitest"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Run from "../../reconcile/test/support/Run.ts"
import * as Markdown from "../src/Markdown.ts"
import * as Table from "../src/Table.ts"

const slice = (operation: "deposits" | "transfers", records: ReadonlyArray<Entry.Entry>) => {
  const interval = { from: Run.T0 - Run.DAY, to: Run.T0 + Run.DAY }
  return Stream.make({
    ...interval,
    records,
    bad: [],
    coverage: [{ operation, ...interval, readAt: interval.to, state: "complete" as const }]
  })
}

describe("an entry that is linked by hand with one that is not at hand", () => {
  it.effect("says in a table and in Markdown what it lacks, and waits for nothing to be read", () =>
    Effect.gen(function*() {
      const policy = Run.policy({ links: [{ deposits: ["d1"], transfers: ["t9"] }] })
      const report = yield* Reconciliation.reconcile(
        slice("deposits", [Run.deposit("d1", 0), Run.deposit("d2", 0)]),
        slice("transfers", [Run.transfer("t2", 1)]),
        { policy }
      )
      for (const text of [Table.render(report), Markdown.render(report)]) {
        assert.include(
          text.replaceAll(/\s+/g, " "),
          " is linked by hand with entries that were not read"
        )
        assert.notInclude(text, "not read far enough")
        assert.notInclude(text, "unknown part")
        assert.include(text.replaceAll(/\s+/g, " "), "transfer t9")
      }
    }))
})

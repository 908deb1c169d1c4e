/** `Reconciliation.events` over the two files, an outcome a line. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Effect from "effect/Effect"
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as Stream from "effect/Stream"
import { writeSync } from "node:fs"
import * as BookStream from "../reconcile/BookStream.ts"
import type { Task } from "../reconcile/contender.ts"

const line = (event: Reconciliation.Event): string =>
  `${JSON.stringify(event._tag === "Outcome" ? event.outcome : { summary: event.summary })}\n`

export const run = ({ book: { directory }, output }: Task): Promise<void> => {
  const { deposits, options, transfers } = BookStream.open(directory)
  return Reconciliation.events(deposits, transfers, options).pipe(
    Stream.runForEachArray((events) => Effect.sync(() => void writeSync(output, events.map(line).join("")))),
    Effect.provide(NodeServices.layer),
    Effect.runPromise
  )
}

/** Writes a comparison of two policies as JSON: one object, each change on a line of its own. */
import * as Backtest from "@tallystick/reconcile/Backtest"
import * as Iterable from "effect/Iterable"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as SafeJson from "./text/SafeJson.ts"

const encodeFacts = Schema.encodeSync(Backtest.Backtest.mapFields(Struct.omit(["changes"])))
const encodeChange = Schema.encodeSync(Backtest.Change)

/** Returns the text in parts of one line each. */
export const parts = (backtest: Backtest.Backtest): Iterable<string> => {
  const { changes, ...facts } = backtest
  const last = changes.length - 1
  return Iterable.flatten([
    [`${SafeJson.stringify(encodeFacts(facts)).slice(0, -1)},"changes":[\n`],
    Iterable.map(
      changes,
      (change, index) => `${SafeJson.stringify(encodeChange(change))}${index === last ? "" : ","}\n`
    ),
    ["]}\n"]
  ])
}

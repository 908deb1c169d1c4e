/** A sandbox of seven sub-accounts whose list may be at fault, and the command against it. */
import * as Report from "@tallystick/reconcile/Report"
import type * as Faults from "@tallystick/sandbox/Faults"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { layerFiles, type Options, tallystick } from "./Run.ts"

export const sandbox = (faults: Faults.Faults = {}, options: Sandbox.Options = {}) =>
  Layer.merge(
    layerFiles,
    Sandbox.Sandbox.layerInProcess({
      history: { seed: 7, deposits: 60, subAccounts: 7, breaks: 9 },
      rules: { rate: null },
      faults,
      ...options
    })
  )

export const run = Effect.fnUntraced(function*(args: ReadonlyArray<string>, options: Options = {}) {
  const { environment } = yield* Sandbox.Sandbox
  return yield* tallystick(args, { ...options, env: { ...environment(), TALLYSTICK_RETRIES: "0", ...options.env } })
})

export const decodeReport = Schema.decodeEffect(Schema.fromJsonString(Report.Report))

export const names = ["sub00001", "sub00002", "sub00003", "sub00004", "sub00005", "sub00006", "sub00007"]

export const listing =
  (faults: Faults.Faults, options: Sandbox.Options = {}) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, sandbox(faults, options))

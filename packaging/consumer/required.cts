/** Requires the packages, as a CommonJS program does. */
import Reconciliation = require("@tallystick/reconcile/Reconciliation")
import Effect = require("effect/Effect")
import Stream = require("effect/Stream")

Reconciliation.reconcile(Stream.empty, Stream.empty).pipe(Effect.runPromise).then(({ outcomes }) => {
  console.log(`${outcomes.length} outcomes of nothing`)
})

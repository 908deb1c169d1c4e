/** `tallystick demo`: a history whose truth is known, the real client over HTTP, the report, and how true it is. */
import * as Command from "effect/cli/Command"
import * as SandboxFlags from "../flags/SandboxFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = { seed: SandboxFlags.seed, deposits: SandboxFlags.deposits }

export const command = Command.make("demo", flags, Telemetry.command("demo", () => import("../handlers/Demo.ts"))).pipe(
  Command.withDescription(
    "Start the sandbox with a generated history, fetch it through the real client, reconcile it, and compare the report " +
      "with the planted truth. Exits with 0 when they agree."
  )
)

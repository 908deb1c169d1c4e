/** `tallystick sandbox`: the exchange as a local server, with a generated history, until Ctrl-C. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as FileFlag from "../flags/FileFlag.ts"
import * as SandboxFlags from "../flags/SandboxFlags.ts"
import * as Telemetry from "../network/Telemetry.ts"

const flags = {
  port: SandboxFlags.port,
  seed: SandboxFlags.seed,
  deposits: SandboxFlags.deposits,
  faults: SandboxFlags.faults,
  addresses: FileFlag.written("addresses-out").pipe(
    Flag.withDescription("Write the address book of the history, for reconcile --addresses"),
    Flag.optional
  )
}

export const command = Command.make(
  "sandbox",
  flags,
  Telemetry.command("sandbox", () => import("../handlers/Sandbox.ts"))
).pipe(
  Command.withDescription(
    "Run the sandbox on 127.0.0.1 until Ctrl-C. Prints the base URL and test credentials as environment lines."
  ),
  Command.withExamples([
    {
      command: "tallystick sandbox --port 8089 --addresses-out addresses.json",
      description: "Then, in another terminal, reconcile"
    },
    {
      command: "tallystick sandbox --port 8089 --faults faults.json",
      description: "A server that misbehaves as the file says"
    }
  ])
)

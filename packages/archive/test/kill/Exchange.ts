/** A world that is served as an exchange, over a real socket. */
import type * as Sandbox from "@tallystick/sandbox/Exchange"
import * as Server from "@tallystick/sandbox/Server"
import * as Effect from "effect/Effect"

/** Serves what `handle` answers, and gives the address of it. */
export const serve = (handle: Sandbox.Exchange["Service"]["handle"]) =>
  Server.serve({
    handle,
    requests: Effect.succeed([]),
    keys: Effect.succeed([]),
    faults: Effect.succeed({}),
    setFaults: () => Effect.void
  })

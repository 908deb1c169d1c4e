/** The program with two masters, each of them on an exchange of its own. */
import { assert, it } from "@effect/vitest"
import * as Origin from "@tallystick/core/Origin"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"
import * as Program from "./support/Program.ts"

/** The exchange of one master: a history, a key and a secret that are nobody else's. */
const exchange = Effect.fnUntraced(function*(master: string, seed: number, deposits: number) {
  const layer = Sandbox.Sandbox.layer({
    history: { seed, deposits, subAccounts: 2 },
    rules: { rate: null },
    credentials: [{
      apiKey: `mx0${master}`,
      secretKey: Redacted.make(`secret-${master}`),
      permissions: ["SPOT_TRANSFER_READ", "SPOT_DEPOSIT_READ"]
    }]
  })
  const sandbox = Context.get(yield* Layer.build(layer), Sandbox.Sandbox)
  for (const [name, value] of Object.entries(sandbox.environment(master))) vi.stubEnv(name, value)
  return sandbox
})

it.live("masters reads each master's own exchange with that master's own key, and tells its own books", () =>
  Effect.gen(function*() {
    const sandboxes = { NORTH: yield* exchange("NORTH", 5, 60), SOUTH: yield* exchange("SOUTH", 6, 600) }
    const { said, told } = yield* Program.run("masters")
    assert.deepStrictEqual(told, [])
    const outcomes: Array<number> = []
    for (const [master, sandbox] of Object.entries(sandboxes)) {
      const { fingerprint } = yield* Origin.of(sandbox)
      const line = said.find((line) => line.startsWith(`${master}, key ${fingerprint}: `)) ?? ""
      outcomes.push(Number(/: (\d+) outcomes, /.exec(line)?.[1]))
      // Each exchange refuses the other's key and signature.
      const requests = yield* sandbox.exchange.requests
      assert.isAbove(requests.length, 3)
      assert.deepStrictEqual(requests.filter(({ status }) => status !== 200), [])
    }
    const [north = 0, south = 0] = outcomes
    assert.isAbove(north, 0)
    assert.isAbove(south, 3 * north)
  }).pipe(Effect.scoped))

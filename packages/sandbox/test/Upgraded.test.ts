import { assert, it } from "@effect/vitest"
import * as Server from "@tallystick/sandbox/Server"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import * as Client from "./client.ts"
import { overSocket } from "./socket.ts"

vi.mock("../src/internal/endpoints/DocsEndpoint.ts", () => {
  throw new Error("Cannot find module")
})

it.effect("a sandbox whose files are gone says so where it would tell about itself, and answers everything else", () =>
  Effect.gen(function*() {
    const baseUrl = yield* Server.serve(yield* Client.make())
    for (const target of ["/sandbox/docs", "/openapi.json"]) {
      const { body, status } = yield* overSocket(baseUrl, { target })
      assert.strictEqual(status, 503)
      assert.include(body, "was upgraded or removed while this one runs. Start it again.")
    }
    assert.strictEqual((yield* overSocket(baseUrl, { target: "/api/v3/time" })).status, 200)
  }))

/** A runner is lost whose place among the others is not renewed, although PostgreSQL answers. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { temporaryDatabase } from "../../../archive/test/support/databases.ts"
import * as Cluster from "../../src/Cluster.ts"
import * as Heartbeat from "../../src/internal/watchdog/Heartbeat.ts"
import * as Processes from "../kill/Processes.ts"

const looks: Heartbeat.Looks = { every: "1 second", often: 3 }

describe("a runner", () => {
  it.live("is lost when it is none of its cluster, and not while it is one, or PostgreSQL does not answer", () =>
    Effect.gen(function*() {
      const url = yield* temporaryDatabase
      const address = { host: "127.0.0.1", port: yield* Processes.freePort }
      yield* Layer.build(Cluster.runner({ url, address }))
      const [other, nowhere] = [yield* Processes.freePort, new URL(Redacted.value(url))]
      nowhere.port = String(yield* Processes.freePort)
      const [self, none, unknown] = yield* Effect.all(
        [
          { url, address },
          { url, address: { ...address, port: other } },
          { url: Redacted.make(nowhere.href), address }
        ].map((options) => Effect.timeoutOption(Heartbeat.lost(options, looks), "8 seconds")),
        { concurrency: 3 }
      )
      assert.deepStrictEqual([self, none, unknown], [Option.none(), Option.some(undefined), Option.none()])
    }).pipe(Effect.scoped))
})

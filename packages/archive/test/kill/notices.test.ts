/** Killed at any point between the execution and the mark that a notice was sent, each notice still arrives, under one key. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Schema from "effect/Schema"
import { copyFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Archive from "../../src/Archive.ts"
import * as Notice from "../../src/Notice.ts"
import * as Receiver from "../../src/Receiver.ts"
import { at } from "../support/at.ts"
import { book, far, options } from "../support/books.ts"
import { temporaryFolder } from "../support/databases.ts"
import { DAY, kept, MINUTE } from "../support/decisions.ts"
import { words } from "../support/notices.ts"
import { NOW } from "../support/records.ts"
import * as Child from "./Child.ts"

const LATER = NOW + 7 * DAY

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Notice.Notice))

/** A receiver that answers every notice, until the scope ends. */
const receiver = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly taken: Array<Notice.Notice>; readonly close: () => void }>(
    (resume) => {
      const taken: Array<Notice.Notice> = []
      const server = createServer((request, response) => {
        let body = ""
        request.setEncoding("utf8").on("data", (text: string) => {
          body += text
        }).on("end", () => {
          taken.push(decode(body))
          response.end()
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" ? address?.port : undefined
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, taken, close }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

const script = fileURLToPath(new URL("Notify.ts", import.meta.url))

const run = (archive: string, url: string, now: number, death?: Child.Death) =>
  Effect.promise(() => Child.start({ script, args: [url], env: { TALLYSTICK_ARCHIVE: archive }, now }, death).ended)

const TOLD = [
  "open-items 1 after 1: 1 missing-transfer",
  "item-opened missing-transfer: deposit 1.5 USDT",
  "item-opened missing-transfer: deposit 3 BTC",
  "item-opened missing-deposit: transfer 1.4 USDT",
  "item-opened missing-deposit: transfer 9 USDT"
]

/** What was told, whichever execution found it. */
const told = (taken: ReadonlyArray<Notice.Notice>): ReadonlyArray<string> =>
  Array.from(
    new Map(taken.map((notice) => [notice.key, words(notice)])).values(),
    (text) => text.startsWith("item") ? text.replace(/ after \d+/, "") : text
  )

describe("a process that sends notices", { timeout: 300_000 }, () => {
  it.live("is killed at any step, and the next one sends what is left: nothing is lost, and twice is the same key", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const { taken, url } = yield* receiver
      const before = join(folder, "before.db")
      const layer = Archive.Archive.layerSqlite({ file: before })
      const first = yield* Effect.provide(Receiver.url({ url }), FetchHttpClient.layer)
      yield* Effect.andThen(kept, book(options(far), { notify: { receivers: [first] } })).pipe(
        at(LATER),
        Effect.provide(layer)
      )
      const copied = (name: string) => {
        const file = join(folder, name)
        copyFileSync(before, file)
        return file
      }
      const whole = yield* run(copied("whole.db"), url, LATER + MINUTE)
      assert.include(whole.output, "sent 5, waiting 0", whole.output)
      assert.deepStrictEqual(told(taken), TOLD)
      assert.lengthOf(taken, 5)
      const steps = whole.steps ?? assert.fail(whole.output)

      let repeated = 0
      // The execution is closed before the last fifty steps; each notice takes some ten of them.
      for (const back of [60, 47, 36, 25, 24, 23, 14, 7]) {
        for (const when of ["before", "after"] as const) {
          taken.length = 0
          const archive = copied(`${back}-${when}.db`)
          const killed = yield* run(archive, url, LATER + MINUTE, { at: "step", n: steps - back, when })
          assert.isTrue(killed.killed, killed.output)
          const next = yield* run(archive, url, LATER + 10 * MINUTE)
          assert.include(next.output, "waiting 0", next.output)
          assert.deepStrictEqual(told(taken).toSorted(), TOLD.toSorted(), `${back} steps before the end, ${when}`)
          assert.isAtMost(taken.length, TOLD.length + 1)
          if (taken.length > TOLD.length) repeated++
        }
      }
      // Some of them died between the answer and the mark.
      assert.isAbove(repeated, 0)
    }).pipe(Effect.scoped))
})

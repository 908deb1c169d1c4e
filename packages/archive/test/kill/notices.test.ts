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

/** A receiver that answers every notice, until the scope ends; `dies` is called before it answers one, with their number. */
const receiver = Effect.acquireRelease(
  Effect.callback<{
    readonly url: string
    readonly taken: Array<Notice.Notice>
    readonly state: { dies: (count: number) => void }
    readonly close: () => void
  }>((resume) => {
    const taken: Array<Notice.Notice> = []
    const state = { dies: (_count: number): void => undefined }
    const server = createServer((request, response) => {
      let body = ""
      request.setEncoding("utf8").on("data", (text: string) => {
        body += text
      }).on("end", () => {
        taken.push(decode(body))
        state.dies(taken.length)
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
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, taken, state, close }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const script = fileURLToPath(new URL("Notify.ts", import.meta.url))

const start = (archive: string, url: string, now: number, death?: Child.Death) =>
  Child.start({ script, args: [url], env: { TALLYSTICK_ARCHIVE: archive }, now }, death)

const ended = ({ ended }: Child.Running) => Effect.promise(() => ended)

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

describe("a process that sends notices", () => {
  it.live("is killed before or after it sent one, and the next one sends the rest: nothing is lost, and twice is the same key", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const { state, taken, url } = yield* receiver
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
      const whole = yield* ended(start(copied("whole.db"), url, LATER + MINUTE))
      assert.include(whole.output, "sent 5, waiting 0", whole.output)
      assert.deepStrictEqual(told(taken), TOLD)
      assert.lengthOf(taken, 5)
      const steps = whole.steps ?? assert.fail(whole.output)

      /** The next process comes when nobody claims the notice any more. */
      const next = Effect.fnUntraced(function*(archive: string, name: string) {
        state.dies = () => undefined
        const { output } = yield* ended(start(archive, url, LATER + 10 * MINUTE))
        assert.include(output, "waiting 0", name)
        assert.deepStrictEqual(told(taken).toSorted(), TOLD.toSorted(), name)
      })
      // The execution is closed some 60 steps before the end; each notice takes some ten of them.
      for (const back of [60, 12]) {
        taken.length = 0
        const archive = copied(`${back}.db`)
        const killed = yield* ended(start(archive, url, LATER + MINUTE, { at: "step", n: steps - back, when: "after" }))
        assert.isTrue(killed.killed, killed.output)
        yield* next(archive, `${back} steps before the end`)
        assert.isAtMost(taken.length, TOLD.length + 1)
      }
      // Here it was sent, and never marked as sent.
      for (const nth of [1, 4]) {
        taken.length = 0
        const archive = copied(`sent-${nth}.db`)
        const running = start(archive, url, LATER + MINUTE)
        state.dies = (count) => count === nth ? running.kill() : undefined
        assert.isTrue((yield* ended(running)).killed)
        yield* next(archive, `when notice ${nth} was there`)
        assert.lengthOf(taken, TOLD.length + 1)
        const twice = taken.filter(({ key }) => key === taken[nth - 1]?.key)
        assert.lengthOf(twice, 2)
        assert.deepStrictEqual(twice[0], twice[1])
      }
    }).pipe(Effect.scoped))
})

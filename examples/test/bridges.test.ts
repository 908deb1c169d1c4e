/** The bridges of the guide to notices, as processes of their own, against receivers of this machine. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { folder } from "./support/Program.ts"

const notices = {
  item: {
    version: 1,
    kind: "item-opened",
    key: "a1",
    text: "An item is open.",
    item: { id: "i1", code: "missing-transfer" }
  },
  settled: {
    version: 1,
    kind: "item-settled",
    key: "a2",
    text: "An item is settled.",
    item: { id: "i1", code: "exact" }
  },
  gone: { version: 1, kind: "item-gone", key: "a3", text: "An item is gone.", item: { id: "i1", code: "gone" } },
  broken: {
    version: 1,
    kind: "close-broken",
    key: "c1",
    state: "began",
    text: "A close is broken.",
    close: { number: 7 }
  },
  stands: { version: 1, kind: "close-broken", key: "c2", state: "over", text: "It stands.", close: { number: 7 } },
  began: { version: 1, kind: "key-refused", key: "b1", state: "began", text: "The exchange refuses the key." },
  over: { version: 1, kind: "key-refused", key: "b2", state: "over", text: "The exchange takes the key again." }
}

/** Runs a bridge with a notice on stdin, and gives its exit code and what it said. */
const bridge = (name: string, notice: object, env: Readonly<Record<string, string>>) =>
  Effect.promise(async () => {
    const file = fileURLToPath(new URL(`../src/bridge/${name}.ts`, import.meta.url))
    const child = spawn(process.execPath, ["--no-warnings", file], { env: { PATH: process.env["PATH"] ?? "", ...env } })
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
    child.stdin.end(JSON.stringify(notice))
    const said = await text(child.stderr)
    return { exitCode: await ended, said }
  })

/** A web server that keeps the bodies that it gets. */
const receiver = (status: number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly bodies: ReadonlyArray<unknown>; readonly close: () => void }>(
      (resume) => {
        const bodies: Array<unknown> = []
        const server = createServer((request, response) => {
          void text(request).then((body) => {
            bodies.push(JSON.parse(body))
            response.writeHead(status).end()
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const port = typeof address === "object" ? address?.port : undefined
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}/`, bodies, close: () => void server.close() }))
        })
      }
    ),
    ({ close }) => Effect.sync(close)
  )

describe("the bridge", () => {
  it.live("to Slack posts the words of a notice", () =>
    Effect.gen(function*() {
      const { bodies, url } = yield* receiver(200)
      const { exitCode, said } = yield* bridge("slack", notices.item, { SLACK_WEBHOOK_URL: url })
      assert.strictEqual(exitCode, 0, said)
      assert.deepStrictEqual(bodies, [{ text: "An item is open." }])
      const closed = yield* receiver(410)
      assert.deepStrictEqual(yield* bridge("slack", notices.item, { SLACK_WEBHOOK_URL: closed.url }), {
        exitCode: 1,
        said: "Slack answered HTTP 410\n"
      })
    }).pipe(Effect.scoped))

  it.live("to PagerDuty opens an incident, and resolves that of an item that is settled and of what is over, but of nothing that is gone", () =>
    Effect.gen(function*() {
      const { bodies, url } = yield* receiver(202)
      for (const notice of Object.values(notices)) {
        const { exitCode, said } = yield* bridge("pagerduty", notice, {
          PAGERDUTY_URL: url,
          PAGERDUTY_ROUTING_KEY: "r"
        })
        assert.strictEqual(exitCode, 0, said)
      }
      const event = (notice: { readonly text: string }, event_action: string, dedup_key: string, severity: string) => ({
        routing_key: "r",
        event_action,
        dedup_key,
        payload: { summary: notice.text, source: "tallystick", severity, custom_details: notice }
      })
      assert.deepStrictEqual(bodies, [
        event(notices.item, "trigger", "tallystick-i1", "warning"),
        event(notices.settled, "resolve", "tallystick-i1", "warning"),
        event(notices.gone, "trigger", "tallystick-i1", "warning"),
        event(notices.broken, "trigger", "tallystick-close-broken-7", "warning"),
        event(notices.stands, "resolve", "tallystick-close-broken-7", "warning"),
        event(notices.began, "trigger", "tallystick-key-refused", "critical"),
        event(notices.over, "resolve", "tallystick-key-refused", "critical")
      ])
    }).pipe(Effect.scoped))

  it.live("to mail hands sendmail a message whose id is the key of the notice", () =>
    Effect.gen(function*() {
      const root = yield* folder
      const [sendmail, out] = [join(root, "sendmail"), join(root, "out")]
      writeFileSync(sendmail, `#!/bin/sh\n[ "$1" = -t ] && cat > ${out}\n`)
      chmodSync(sendmail, 0o700)
      const env = { SENDMAIL: sendmail, MAIL_TO: "desk@example.com" }
      const { exitCode, said } = yield* bridge("mail", notices.item, env)
      assert.strictEqual(exitCode, 0, said)
      assert.strictEqual(
        readFileSync(out, "utf8"),
        "To: desk@example.com\nSubject: Tallystick: missing-transfer\nMessage-ID: <a1@tallystick>\n" +
          "Content-Type: text/plain; charset=utf-8\n\nAn item is open.\n"
      )
      const none = yield* bridge("mail", notices.item, { ...env, SENDMAIL: `${sendmail}-none` })
      assert.strictEqual(none.exitCode, 1)
    }).pipe(Effect.scoped))
})

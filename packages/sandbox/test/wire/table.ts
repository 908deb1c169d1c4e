/** Every fault between request and answer, and what a client sees of it and the exchange remembers. */
import { assert } from "@effect/vitest"
import type { WireFault } from "@tallystick/sandbox/WireFault"
import type { Received } from "./requests.ts"

export interface Row {
  readonly fault: WireFault
  /** Whether the create operation made a key. */
  readonly ran: boolean
  /** `whole` is what the exchange answers to a list without faults. */
  readonly sees: (received: Received, whole: string) => void
  /** Of a body without an end, so much is read. */
  readonly most?: number
}

const isHtml = ({ text, type }: Received) => {
  assert.match(type ?? "", /^text\/html/)
  assert.match(text, /<html>/)
}

const isWhole = ({ broken, status, text }: Received, whole: string) => {
  assert.strictEqual(status, 200)
  assert.strictEqual(text, whole)
  assert.isUndefined(broken)
}

const isPart = (text: string, whole: string) => {
  assert.isBelow(text.length, whole.length)
  assert.isTrue(whole.startsWith(text))
  assert.throws(() => JSON.parse(text))
}

const reset = (received: Received) =>
  assert.deepStrictEqual(received, { text: "", broken: { in: "request", code: "ECONNRESET" } })

const statusIs = (expected: number) => ({ status }: Received) => assert.strictEqual(status, expected)

export const table: Readonly<Record<string, Row>> = {
  "an error before": { fault: { kind: "error" }, ran: false, sees: statusIs(503) },
  "an error after": { fault: { kind: "error", status: 500, effect: "after" }, ran: true, sees: statusIs(500) },
  "a gateway's page": {
    fault: { kind: "error", status: 502, html: true },
    ran: false,
    sees: (received) => {
      assert.strictEqual(received.status, 502)
      isHtml(received)
    }
  },
  "a reset at the request": { fault: { kind: "reset", at: "request" }, ran: false, sees: reset },
  "a reset at the answer": { fault: { kind: "reset", at: "answer" }, ran: true, sees: reset },
  "a reset in the body": {
    fault: { kind: "reset", at: "body" },
    ran: true,
    sees: ({ broken, status, text }, whole) => {
      assert.strictEqual(status, 200)
      assert.strictEqual(broken?.in, "body")
      isPart(text, whole)
    }
  },
  "a reset at the end": { fault: { kind: "reset", at: "end" }, ran: true, sees: isWhole },
  "a body cut short": {
    fault: { kind: "truncate" },
    ran: true,
    sees: ({ broken, status, text }, whole) => {
      assert.strictEqual(status, 200)
      assert.isUndefined(broken)
      isPart(text, whole)
    }
  },
  "a firewall's 403": {
    fault: { kind: "firewall" },
    ran: false,
    sees: (received) => {
      assert.strictEqual(received.status, 403)
      isHtml(received)
    }
  },
  "a firewall's 200 behind the operation": {
    fault: { kind: "firewall", status: 200, effect: "after" },
    ran: true,
    sees: (received) => {
      assert.strictEqual(received.status, 200)
      isHtml(received)
    }
  },
  "a body in drips": { fault: { kind: "drip", bytes: 1000, every: 5 }, ran: true, sees: isWhole },
  "white space without end": {
    fault: { kind: "endless", bytes: 1000 },
    ran: true,
    most: 20_000,
    sees: ({ status, text }, whole) => {
      assert.strictEqual(status, 200)
      assert.strictEqual(text, whole.padEnd(20_000))
    }
  },
  "records without end": {
    fault: { kind: "endless", filler: "records", bytes: 1000, every: 1 },
    ran: true,
    most: 20_000,
    sees: ({ status, text }, whole) => {
      assert.strictEqual(status, 200)
      assert.strictEqual(text, `[${`${whole.slice(1, -1)},`.repeat(20)}`.slice(0, 20_000))
    }
  },
  "a redirect": {
    fault: { kind: "redirect", status: 307, to: "https://evil.example.com/x" },
    ran: false,
    sees: ({ location, status }) => assert.deepStrictEqual([status, location], [307, "https://evil.example.com/x"])
  },
  "a redirect to wherever": {
    fault: { kind: "redirect" },
    ran: false,
    sees: ({ location, status }) => assert.deepStrictEqual([status, location], [302, "https://elsewhere.example.com/"])
  },
  "a 429 with Retry-After": {
    fault: { kind: "throttle", retryAfter: 3 },
    ran: false,
    sees: ({ retryAfter, status }) => assert.deepStrictEqual([status, retryAfter], [429, "3"])
  },
  "a 429 without": {
    fault: { kind: "throttle" },
    ran: false,
    sees: ({ retryAfter, status }) => assert.deepStrictEqual([status, retryAfter], [429, undefined])
  },
  "a ban": {
    fault: { kind: "ban", seconds: 30 },
    ran: false,
    sees: ({ retryAfter, status }) => assert.deepStrictEqual([status, retryAfter], [418, "30"])
  },
  "a ban that does not say how long": {
    fault: { kind: "ban", seconds: 30, untold: true },
    ran: false,
    sees: ({ retryAfter, status }) => assert.deepStrictEqual([status, retryAfter], [418, undefined])
  }
}

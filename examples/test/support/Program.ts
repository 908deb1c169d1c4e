/** A world in which every example runs as it stands: a sandbox, and the other services that the examples ask. */
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { vi } from "vitest"
import { collect } from "../../../packages/cli/test/support/Collector.ts"

export const history = { deposits: 200, subAccounts: 2, breaks: 12, seed: 5 }

/** Gone when the scope closes. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tallystick-example-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

type Answer = (request: IncomingMessage, url: URL) => Promise<string>

/** A server on a free port of this machine, stopped when the scope closes. */
const serve = (routes: Readonly<Record<string, Answer>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        const url = new URL(request.url ?? "/", "http://127.0.0.1")
        const answer = routes[url.pathname]
        const body = answer === undefined ? text(request).then(() => "{}") : answer(request, url)
        void body.then((body) => response.setHeader("content-type", "application/json").end(body))
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const address = server.address()
      return { server, url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}` }
    }),
    ({ server }) => Effect.promise(() => new Promise((resolve) => server.close(resolve).closeAllConnections()))
  )

const iso = (at: number): string => new Date(at).toISOString()

/** Sets the environment for the examples, and gives what they leave behind. */
export const world = Effect.gen(function*() {
  const { apiKey, environment, history, secretKey } = yield* Sandbox.Sandbox
  const cases: Array<unknown> = []
  const collector = yield* Effect.acquireRelease(Effect.promise(() => collect()), ({ close }) => Effect.promise(close))
  const booked = history.transfers.filter(({ fromAccount, status }) => fromAccount !== "" && status === "SUCCESS")

  const { url } = yield* serve({
    // As AWS KMS answers GenerateMac.
    "/kms": async (request) => {
      const { Message } = JSON.parse(await text(request))
      const mac = createHmac("sha256", Redacted.value(secretKey)).update(Buffer.from(Message, "base64"))
      return JSON.stringify({ Mac: mac.digest("base64") })
    },
    "/vault": () =>
      Promise.resolve(JSON.stringify({ apiKey: Redacted.value(apiKey), secretKey: Redacted.value(secretKey) })),
    "/ledger": (_, { searchParams }) => {
      const [from, to] = [Number(searchParams.get("from")), Number(searchParams.get("to"))]
      return Promise.resolve(
        booked.filter(({ timestamp }) => timestamp >= from && timestamp < to).map((transfer) =>
          `${
            JSON.stringify({
              booking: transfer.tranId,
              asset: transfer.asset,
              amount: transfer.amount,
              bookedAt: transfer.timestamp,
              subAccount: transfer.fromAccount
            })
          }\n`
        ).join("")
      )
    },
    "/desk": async (request) => {
      cases.push(...JSON.parse(await text(request)))
      return "{}"
    }
  })

  const root = yield* folder
  const ledger = join(root, "ledger.csv")
  // One sweep that the books know and the ledger does not.
  const now = Date.now()
  const forgotten = history.truth.pairs.flatMap(({ deposit, transfer }) => {
    const found = booked.find(({ timestamp, tranId }) =>
      tranId === transfer && timestamp > now - 30 * 3_600_000 && timestamp < now - 12 * 3_600_000
    )
    return found === undefined ? [] : [{ deposit, transfer }]
  })[0]
  const rows = booked.filter(({ tranId }) => tranId !== forgotten?.transfer).map((transfer) =>
    [transfer.tranId, transfer.asset, transfer.amount, iso(transfer.timestamp), transfer.fromAccount].join(",")
  )
  writeFileSync(ledger, ["booking,currency,amount,booked_at,sub_account", ...rows, ""].join("\n"))

  const database = join(root, "ledger.db")
  const db = new DatabaseSync(database)
  db.exec("CREATE TABLE bookings (booking TEXT, currency TEXT, amount TEXT, booked_at INTEGER, sub_account TEXT)")
  const insert = db.prepare("INSERT INTO bookings VALUES (?, ?, ?, ?, ?)")
  for (const { amount, asset, fromAccount, timestamp, tranId } of booked) {
    if (tranId !== forgotten?.transfer) insert.run(tranId, asset, amount, timestamp, fromAccount)
  }
  db.close()

  const env = {
    ...environment(),
    KMS_URL: `${url}/kms`,
    VAULT_URL: `${url}/vault`,
    LEDGER_URL: `${url}/ledger`,
    DESK_URL: `${url}/desk`,
    COLLECTOR_URL: collector.url,
    LEDGER: ledger,
    LEDGER_DATABASE: database,
    TALLYSTICK_ARCHIVE: join(root, "books.db"),
    BOOKS: join(root, "shared.db"),
    JOBS: join(root, "jobs.db")
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return { cases, collector, forgotten, env, secret: Redacted.value(secretKey) }
})

/** What a program says when it runs, as it stands, in this process. */
export const run = (name: string) =>
  Effect.promise(async () => {
    const program = fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url))
    const said: Array<string> = []
    const told: Array<string> = []
    const spies = [
      vi.spyOn(console, "log").mockImplementation((...words) => void said.push(words.join(" "))),
      vi.spyOn(console, "error").mockImplementation((...words) => void told.push(words.join(" ")))
    ]
    try {
      await import(program)
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
    return { said, told }
  })

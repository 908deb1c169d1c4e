/**
 * The server of the paging benchmark, in a process of its own: pages rendered beforehand, newest record first, keep-alive.
 * It refuses a request with a wrong key or signature, or for a page that nobody should ask for.
 */
import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import * as Deposits from "../Deposits.ts"
import * as Random from "../Random.ts"
import * as Service from "./Service.ts"

const kind: Service.Kind = process.argv[2] === "transfers" ? "transfers" : "deposits"
const random = Random.make(1)
const from = Math.floor(Date.now() / Service.HOUR) * Service.HOUR - 60 * Service.HOUR

const transfer = (timestamp: number) => ({
  tranId: Deposits.hex(random, 32),
  fromAccount: `sub${Deposits.hex(random, 8)}@example.com`,
  toAccount: "broker@example.com",
  clientTranId: Deposits.hex(random, 32),
  asset: "USDT",
  amount: Deposits.amount(random),
  ...Service.accountTypes,
  fromSymbol: "SPOT",
  toSymbol: "SPOT",
  status: "SUCCESS",
  timestamp
})

const record = (at: number) => kind === "deposits" ? Deposits.deposit(random, at) : transfer(at)

/** The pages of one hour. No record lies on its border. */
const render = (begin: number): ReadonlyArray<Buffer> => {
  const times = Array.from(
    { length: Service.RECORDS_AN_HOUR },
    () => begin + 1 + Math.floor(random() * (Service.HOUR - 2))
  )
  const records = times.toSorted((a, b) => b - a).map(record)
  return Array.from(
    { length: Service.PAGES_AN_HOUR },
    (_, page) => Buffer.from(JSON.stringify(records.slice(page * Service.PAGE, (page + 1) * Service.PAGE)))
  )
}

const hours = Array.from({ length: Service.HOURS }, (_, hour) => render(from + hour * Service.HOUR))
const end = Buffer.from("[]")

const isSigned = (query: string): boolean => {
  const [payload = "", signature] = query.split("&signature=")
  return createHmac("sha256", Service.SECRET).update(payload).digest("hex") === signature
}

const whole = (query: string, name: string): number => Number(new RegExp(`(?:^|&)${name}=(\\d+)`).exec(query)?.[1])

/** The page that a query asks for, or nothing when no honest reader asks so. */
const pageOf = (query: string): Buffer | undefined => {
  const begin = whole(query, "startTime") + 1
  const page = whole(query, "page")
  if (whole(query, "endTime") !== begin + Service.HOUR || whole(query, "limit") !== Service.PAGE) return undefined
  const hour = hours[(begin - from) / Service.HOUR]
  return hour === undefined || page > Service.PAGES_AN_HOUR + 1 ? undefined : hour[page - 1] ?? end
}

let seen: Service.Seen = { requests: 0, empty: 0 }

const server = createServer((request, response) => {
  const [path, query = ""] = (request.url ?? "").split("?")
  const isTime = path === "/api/v3/time"
  const isAllowed = path === Service.paths[kind] && request.headers["x-mexc-apikey"] === Service.API_KEY &&
    isSigned(query)
  const body = isTime
    ? Buffer.from(JSON.stringify({ serverTime: Date.now() }))
    : isAllowed
    ? pageOf(query)
    : undefined
  if (!isTime) seen = { requests: seen.requests + 1, empty: seen.empty + (body === end ? 1 : 0) }
  response.writeHead(body === undefined ? 400 : 200, {
    "content-type": "application/json",
    "content-length": body?.length ?? 0
  })
  response.end(body)
})
server.keepAliveTimeout = 600_000

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  process.send?.({ kind, baseUrl: `http://127.0.0.1:${port}`, from } satisfies Service.Service)
})
process.on("message", () => {
  process.send?.(seen)
  seen = { requests: 0, empty: 0 }
})
process.on("disconnect", () => process.exit())

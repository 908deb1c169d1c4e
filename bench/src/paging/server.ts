/**
 * The server of the paging benchmark, in a process of its own: newest record first, keep-alive. The pages of whole hours are
 * rendered beforehand; others, for second readings, are joined from the texts of their records. It refuses a request with a
 * wrong key or signature.
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

interface Timed {
  readonly at: number
  readonly text: string
}

/** The records of one hour, newest first. No record lies on its border. */
const render = (begin: number, count: number): ReadonlyArray<Timed> =>
  Array.from({ length: count }, () => begin + 1 + Math.floor(random() * (Service.HOUR - 2)))
    .toSorted((a, b) => b - a)
    .map((at) => ({ at, text: JSON.stringify(record(at)) }))

const bodyOf = (records: ReadonlyArray<Timed>): Buffer => Buffer.from(`[${records.map(({ text }) => text).join(",")}]`)

const inPages = (records: ReadonlyArray<Timed>, length: number): ReadonlyArray<Buffer> =>
  Array.from(
    { length: Math.ceil(records.length / length) },
    (_, page) => bodyOf(records.slice(page * length, (page + 1) * length))
  )

const records = Service.recordsAnHour.map((count, hour) => render(from + hour * Service.HOUR, count))
const hours = records.map((records) => inPages(records, Service.PAGE))
const newestFirst = records.toReversed().flat()
const end = Buffer.from("[]")

const isSigned = (query: string): boolean => {
  const [payload = "", signature] = query.split("&signature=")
  return createHmac("sha256", Service.SECRET).update(payload).digest("hex") === signature
}

const numberIn = (query: string, name: string): number | undefined => {
  const found = new RegExp(`(?:^|&)${name}=(\\d+)`).exec(query)?.[1]
  return found === undefined ? undefined : Number(found)
}

/** Returns the page that a query asks for, empty behind the last one. */
const pageOf = (query: string): Buffer => {
  const [start = 0, last = 0] = [numberIn(query, "startTime"), numberIn(query, "endTime")]
  const [length = Service.PAGE, page = 1] = [numberIn(query, "limit"), numberIn(query, "page")]
  const hour = length === Service.PAGE && last === start + 1 + Service.HOUR
    ? hours[(start + 1 - from) / Service.HOUR]
    : undefined
  if (hour !== undefined) return hour[page - 1] ?? end
  const found = newestFirst.filter(({ at }) => at >= start && at <= last).slice((page - 1) * length, page * length)
  return found.length === 0 ? end : bodyOf(found)
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

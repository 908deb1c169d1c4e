/** The OpenAPI document of the sandbox against the sandbox: what it describes is sent, and what comes back is as described. */
import { assert, describe, it } from "@effect/vitest"
import type * as Exchange from "@tallystick/sandbox/Exchange"
import * as History from "@tallystick/sandbox/History"
import { document } from "@tallystick/sandbox/SandboxApi"
import * as Server from "@tallystick/sandbox/Server"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { readdirSync, readFileSync } from "node:fs"
import * as Client from "../../packages/sandbox/test/client.ts"
import { overSocket } from "../../packages/sandbox/test/socket.ts"

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { regex: true } })
ajv.addSchema(document, "openapi")

const pointer = (...steps: ReadonlyArray<string | number>): string =>
  steps.map((step) => `/${encodeURIComponent(String(step).replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

const isValid = (at: string, value: unknown): void => {
  const validate = ajv.getSchema(`openapi#${at}`)
  assert.isDefined(validate, at)
  assert.isTrue(validate?.(value), `${at}: ${JSON.stringify(validate?.errors)}`)
}

type Method = "get" | "post" | "put" | "delete"

const operation = (path: string, method: Method) => {
  const found = document.paths[path]?.[method]
  assert.isDefined(found, `${method} ${path}`)
  return found
}

/** The answer has a status that is described, and a body as that status says. */
const asDescribed = (
  path: string,
  method: Method,
  answer: { readonly status: number; readonly body: string }
): void => {
  const { responses } = operation(path, method)
  assert.property(responses, String(answer.status))
  isValid(
    pointer("paths", path, method, "responses", answer.status, "content", "application/json", "schema"),
    JSON.parse(answer.body)
  )
}

/** The parameters of an operation, each with a value that fits a history. */
const values: Readonly<Record<string, string>> = {
  fromAccountType: "SPOT",
  toAccountType: "SPOT",
  fromAccount: "sub00001",
  toAccount: "master",
  clientTranId: "0123456789abcdefghijklmnopqrstuv",
  startTime: String(Client.NOW - Client.HOUR),
  endTime: String(Client.NOW),
  page: "1",
  limit: "10",
  coin: "USDT",
  status: "5",
  recvWindow: "5000",
  timestamp: String(Client.NOW),
  subAccount: "sub00001"
}

const body = {
  subAccount: "sub00001",
  permissions: "SPOT_ACCOUNT_READ,SPOT_DEPOSIT_READ",
  note: "a desk",
  ip: "192.0.2.1"
}

const history = History.generate({ deposits: 300, subAccounts: 3, seed: 5, to: Client.NOW })

const world = Effect.fnUntraced(function*(options: Partial<Exchange.Options> = {}) {
  yield* TestClock.setTime(Client.NOW)
  const { deposits, subAccounts, transfers } = history
  return yield* Client.make({ deposits, transfers, subAccounts, master: history.options.master, ...options })
})

/** Sends a request with these of the described parameters. */
const send = (
  exchange: Exchange.Exchange["Service"],
  path: string,
  method: Method,
  names: ReadonlyArray<string>,
  changes: Partial<Exchange.Request> = {}
) => {
  const query = names.filter((name) => name !== "signature").map((name) =>
    `${name}=${encodeURIComponent(values[name] ?? "")}`
  ).join("&")
  const rawQuery = names.includes("signature") ? Client.sign(query) : query
  const own = method === "post" ? { body: JSON.stringify(body) } : {}
  return Client.send(exchange, method.toUpperCase(), path, {}, { rawQuery, ...own, ...changes })
}

const signed = [
  ["post", Client.KEYS],
  ["get", Client.KEYS],
  ["get", Client.LIST],
  ["get", Client.TRANSFERS],
  ["get", Client.DEPOSITS]
] as const

const parameters = (path: string, method: Method) =>
  operation(path, method).parameters.map(({ in: place, name, required }) => {
    assert.strictEqual(place, "query")
    return { name, required }
  })

/** Where the schema of a parameter stands. */
const parameterSchema = (path: string, method: Method, name: string): string => {
  const index = operation(path, method).parameters.findIndex((parameter) => parameter.name === name)
  return pointer("paths", path, method, "parameters", index, "schema")
}

describe("the OpenAPI document of the sandbox", () => {
  it("names what every operation takes and answers, each once", () => {
    const contents = Object.values(document.paths).flatMap((item) =>
      [item.get, item.post, item.put, item.delete].flatMap((operation) =>
        operation === undefined ? [] : [...Object.values(operation.responses), operation.requestBody]
          .flatMap((described) => Object.values(described?.content ?? {}))
      )
    )
    assert.isAbove(contents.length, 30)
    for (const { schema } of contents) {
      const one = "items" in schema ? schema["items"] : schema
      assert.match(JSON.stringify(one), /^\{"\$ref":"#\/components\/schemas\/[A-Z][A-Za-z]+\d*"\}$/)
    }
    const named = Object.keys(document.components.schemas)
    assert.deepStrictEqual(named.filter((name) => name.includes("_")), [])
  })

  it("is of version 3.1, and describes the operations, the clock and the faults", () => {
    assert.match(document.openapi, /^3\.1\./)
    assert.sameMembers(Object.keys(document.paths), [
      Client.KEYS,
      Client.LIST,
      Client.TRANSFERS,
      Client.DEPOSITS,
      Client.TIME,
      "/sandbox/faults"
    ])
  })

  it.effect.each(signed)(
    "%s %s with every parameter, and with the required ones alone",
    ([method, path]) =>
      Effect.gen(function*() {
        const exchange = yield* world()
        const all = parameters(path, method)
        for (const { name } of all) {
          if (name !== "signature") isValid(parameterSchema(path, method, name), values[name])
        }
        for (const names of [all, all.filter(({ required }) => required)]) {
          const answer = yield* send(exchange, path, method, names.map(({ name }) => name))
          assert.strictEqual(answer.status, 200, answer.body)
          asDescribed(path, method, answer)
        }
      })
  )

  it.effect("describes every record of a history", () =>
    Effect.gen(function*() {
      const exchange = yield* world()
      const required = ["fromAccountType", "toAccountType", "fromAccount", "timestamp", "signature"]
      const transfers = yield* send(exchange, Client.TRANSFERS, "get", required)
      asDescribed(Client.TRANSFERS, "get", transfers)
      assert.isAbove(JSON.parse(transfers.body).length, 10)
      const deposits = yield* send(exchange, Client.DEPOSITS, "get", ["timestamp", "signature"])
      asDescribed(Client.DEPOSITS, "get", deposits)
      assert.isAbove(JSON.parse(deposits.body).length, 50)
    }))

  it.effect.each(signed)(
    "%s %s: what it calls required is missed, the rest is not",
    ([method, path]) =>
      Effect.gen(function*() {
        const exchange = yield* world()
        const all = parameters(path, method)
        for (const { name, required } of all) {
          const answer = yield* send(
            exchange,
            path,
            method,
            all.map(({ name }) => name).filter((other) => other !== name)
          )
          assert.strictEqual(answer.status, required ? 400 : 200, `without ${name}: ${answer.body}`)
          asDescribed(path, method, answer)
        }
      })
  )

  it.effect.each(signed)("%s %s: refusals are as described", ([method, path]) =>
    Effect.gen(function*() {
      const exchange = yield* world()
      const names = parameters(path, method).map(({ name }) => name)
      const headers = { "x-mexc-apikey": Client.API_KEY, "content-type": "application/json" }
      const changed: ReadonlyArray<Partial<Exchange.Request>> = [
        { headers: {} },
        { headers: { ...headers, "x-mexc-apikey": "nobody" } },
        { headers: { ...headers, "x-mexc-apikey": "no key!" } },
        { rawQuery: `timestamp=${Client.NOW}&signature=${"0".repeat(64)}` },
        { rawQuery: Client.sign(`timestamp=${Client.NOW - 60_000}`) },
        { rawQuery: Client.sign(`timestamp=${Client.NOW}&recvWindow=60001`) },
        { rawQuery: Client.sign(`timestamp=now`) },
        ...(method === "get"
          ? [{ rawQuery: Client.sign(`timestamp=${Client.NOW}&page=0&fromAccountType=S&toAccountType=S`) }]
          : [])
      ]
      for (const change of changed) {
        const answer = yield* send(exchange, path, method, names, change)
        assert.isAtLeast(answer.status, 400, JSON.stringify(change))
        asDescribed(path, method, answer)
      }
      const powerless = yield* world({ credentials: [Client.credential(["SPOT_DEAL_READ"])] })
      const answer = yield* send(powerless, path, method, names)
      assert.strictEqual(answer.status, 403)
      asDescribed(path, method, answer)
    }))

  it.effect("describes what keys are refused for", () =>
    Effect.gen(function*() {
      const exchange = yield* world({ rules: { rate: null, keyGroups: 1 } })
      const names = ["timestamp", "signature"]
      const ask = (changes: Record<string, unknown>) =>
        send(exchange, Client.KEYS, "post", names, { body: JSON.stringify({ ...body, ...changes }) })
      const first = yield* ask({})
      asDescribed(Client.KEYS, "post", first)
      const refused = yield* Effect.forEach([
        {},
        { subAccount: "" },
        { subAccount: "?" },
        { subAccount: "nobody99" },
        { permissions: "" },
        { permissions: "ALL" },
        { note: "" },
        { ip: "here" },
        { ip: Array.from({ length: 21 }, () => "192.0.2.1").join() },
        { note: 1 }
      ], ask)
      for (const answer of refused) {
        assert.strictEqual(answer.status, 400, answer.body)
        asDescribed(Client.KEYS, "post", answer)
      }
      const made = JSON.parse(first.body)
      const own = yield* send(exchange, Client.KEYS, "post", names, {
        rawQuery: `timestamp=${Client.NOW}&signature=${Client.signature(`timestamp=${Client.NOW}`, made.secretKey)}`,
        headers: { "x-mexc-apikey": made.apiKey, "content-type": "application/json" }
      })
      assert.strictEqual(own.status, 403)
      asDescribed(Client.KEYS, "post", own)
      const form = yield* send(exchange, Client.KEYS, "post", names, {
        headers: { "x-mexc-apikey": Client.API_KEY, "content-type": "text/plain" }
      })
      asDescribed(Client.KEYS, "post", form)
    }))

  it.effect("describes the clock, the rate limit and a ban", () =>
    Effect.gen(function*() {
      const exchange = yield* world({ rules: { rate: { limit: 1, window: 1000, patience: 1, ban: 5 } } })
      const statuses = yield* Effect.forEach([1, 2, 3, 4], () =>
        Effect.map(send(exchange, Client.TIME, "get", []), (answer) => {
          asDescribed(Client.TIME, "get", answer)
          return answer.status
        }))
      assert.deepStrictEqual(statuses, [200, 429, 429, 418])
    }))

  it("tells every code that the sources refuse with, and no other", () => {
    const folder = new URL("../../packages/sandbox/src/", import.meta.url)
    const sources = readdirSync(folder, { encoding: "utf8", recursive: true })
      // What the faults' endpoint refuses has no codes.
      .filter((name) => name.endsWith(".ts") && !name.endsWith("FaultsEndpoint.ts")).map((name) =>
        readFileSync(new URL(name, folder), "utf8")
      )
    const patterns = [/\brefused\((\d+), /g, /\brefuse\(\s*\d+,\s*(\d+),/g, /\brequired\(.*?, (\d+), /g]
    const found = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, code = ""]) => code)
    const codes = new Set(patterns.flatMap((pattern) => found(sources.join("\n"), pattern)))
    const told = new Set(found(JSON.stringify(document), /`(\d+)`/g))
    assert.sameMembers(Array.from(told), Array.from(codes))
  })
})

const FAULTS = "/sandbox/faults"

describe("the running sandbox", () => {
  const served = Effect.gen(function*() {
    const exchange = yield* world()
    const baseUrl = yield* Server.serve(exchange)
    const ask = (target: string, method: string = "GET", headers: Record<string, string> = {}, sent?: unknown) =>
      overSocket(baseUrl, { target, method, headers, ...(sent === undefined ? {} : { body: JSON.stringify(sent) }) })
    return { ask, baseUrl, exchange }
  })

  it.effect("tells, replaces and ends its faults as described", () =>
    Effect.gen(function*() {
      const { ask } = yield* served
      const json = { "content-type": "application/json" }
      const faults = { seed: 3, wire: [{ kind: "error", share: 0.5 }], latency: [[0, 1], [1, 2]], spellings: ["no-ip"] }
      isValid(pointer("paths", FAULTS, "put", "requestBody", "content", "application/json", "schema"), faults)
      asDescribed(FAULTS, "get", yield* ask(FAULTS))
      asDescribed(FAULTS, "put", yield* ask(FAULTS, "PUT", json, faults))
      asDescribed(FAULTS, "get", yield* ask(FAULTS))
      asDescribed(FAULTS, "delete", yield* ask(FAULTS, "DELETE"))
      const refused = [
        yield* ask(FAULTS, "PUT", json, { wires: [] }),
        yield* ask(FAULTS, "PUT", {}, faults),
        yield* ask(FAULTS, "PUT", { ...json, origin: "https://elsewhere.example.com" }, faults)
      ]
      assert.deepStrictEqual(refused.map(({ status }) => status), [400, 415, 403])
      for (const answer of refused) asDescribed(FAULTS, "put", answer)
    }))

  it.effect("serves the document, and a page with it that needs nothing else", () =>
    Effect.gen(function*() {
      const { ask, baseUrl, exchange } = yield* served
      const answer = yield* ask("/openapi.json")
      assert.strictEqual(answer.status, 200)
      assert.propertyVal(answer.headers, "content-type", "application/json")
      assert.deepStrictEqual(JSON.parse(answer.body), JSON.parse(JSON.stringify(document)))
      assert.strictEqual(Server.docsUrl(baseUrl), `${baseUrl}/sandbox/docs`)
      const page = yield* ask("/sandbox/docs")
      assert.strictEqual(page.status, 200)
      assert.include(page.body, "createApiKey")
      assert.notMatch(page.body, /<(?:script|link|img|iframe)[^>]+(?:src|href)=["']?(?:https?:)?\/\//)
      assert.propertyVal(page.headers, "content-type", "text/html")
      assert.match(JSON.stringify(page.headers), /default-src 'none'/)
      assert.deepStrictEqual(yield* exchange.requests, [])
    }))

  it.effect("tells about itself only to programs and to its own pages", () =>
    Effect.gen(function*() {
      const { ask, baseUrl } = yield* served
      const { port } = new URL(baseUrl)
      for (const target of ["/openapi.json", "/sandbox/docs"]) {
        const statuses = yield* Effect.forEach(
          [{ host: `evil.example:${port}` }, { origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }, {
            "sec-fetch-site": "none"
          }],
          (headers) => Effect.map(ask(target, "GET", headers), ({ status }) => status)
        )
        assert.deepStrictEqual(statuses, [403, 403, 403, 200])
        assert.strictEqual((yield* ask(target, "POST")).status, 405)
      }
    }))
})

/** A service of which each answer is chosen by the test, behind the HttpClient port. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

export type Answer = (url: URL) => Response | Effect.Effect<Response, { readonly code: string }>

export interface Answers {
  readonly time?: Answer
  readonly deposits?: Answer
  readonly transfers?: Answer
  readonly create?: Answer
  readonly accounts?: Answer
  readonly keys?: Answer
}

/** The server's clock runs `ahead` ms before ours. */
export const timeAhead = (ahead: number): Answer => () =>
  Effect.map(Clock.currentTimeMillis, (now) => Response.json({ serverTime: now + ahead }))

export const json = (value: unknown, status = 200, headers: Record<string, string> = {}): Answer => () =>
  Response.json(value, { status, headers })

export const refusal = (code: number, status = 400, headers: Record<string, string> = {}): Answer =>
  json({ code, msg: `said ${code}` }, status, headers)

export const html = (status: number): Answer => () =>
  new Response("<html>Log in to the hotel's network</html>", { status, headers: { "content-type": "text/html" } })

/** What undici says when nothing came: the code stands in the cause of the cause. */
export const broken = (code: string): Answer => () => Effect.fail({ code })

const paths = [
  ["/time", "time"],
  ["/universalTransfer", "transfers"],
  ["/getall", "deposits"],
  ["/sub-account/list", "accounts"],
  ["/apiKey", "create"]
] as const

/** A list of keys is asked for where keys are made. */
const nameOf = (method: string, path: string): keyof Answers => {
  const name = paths.find(([end]) => path.endsWith(end))?.[1] ?? "time"
  return name === "create" && method === "GET" ? "keys" : name
}

/** The client, and what went through it: `time`, `deposits`, … */
export const make = (answers: Answers) => {
  const seen: Array<keyof Answers> = []
  const urls: Array<URL> = []
  const usual: Required<Answers> = {
    time: timeAhead(0),
    deposits: json([]),
    transfers: json([]),
    create: json({}),
    accounts: json({ code: 404, msg: "Not found." }, 404),
    keys: json({ code: 404, msg: "Not found." }, 404)
  }
  const client = HttpClient.make((request, url) =>
    Effect.gen(function*() {
      const name = nameOf(request.method, url.pathname)
      seen.push(name)
      urls.push(url)
      const answer = (answers[name] ?? usual[name])(url)
      if (!Effect.isEffect(answer)) return HttpClientResponse.fromWeb(request, answer)
      const response = yield* Effect.mapError(answer, (cause) =>
        new HttpClientError.HttpClientError({
          reason: new HttpClientError.TransportError({ request, cause: Object.assign(new Error("failed"), { cause }) })
        }))
      return HttpClientResponse.fromWeb(request, response)
    })
  )
  return { client, seen, urls }
}

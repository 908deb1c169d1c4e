/** Requests over node:http, exactly as they are written. */
import * as Effect from "effect/Effect"
import { type Agent, request } from "node:http"

export interface Sent {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
  /** Keeps connections; absent: one connection, one request. */
  readonly agent?: Agent
}

/** Sends exactly this request line and these headers through node:http. */
export const overSocket = (baseUrl: string, sent: Sent) =>
  Effect.callback<{ readonly status: number; readonly headers: object; readonly body: string }, Error>((resume) => {
    const { hostname, port } = new URL(baseUrl)
    const outgoing = request(
      {
        hostname,
        port,
        agent: sent.agent ?? false,
        path: sent.target,
        method: sent.method ?? "GET",
        headers: { ...sent.headers }
      },
      (response) => {
        let body = ""
        response.setEncoding("utf8")
        response.on("data", (text: string) => {
          body += text
        })
        response.on(
          "end",
          () => resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, body }))
        )
      }
    )
    outgoing.on("error", (error) => resume(Effect.fail(error)))
    outgoing.end(sent.body ?? undefined)
    return Effect.sync(() => outgoing.destroy())
  })

/**
 * Serves `/sandbox/faults`, where the faults of the server are read and changed while it runs. It stands beside the exchange: the
 * rate limit, the faults and the log of requests do not apply to it.
 *
 * A web page must not reach it. A request with a foreign `Origin`, or one that a browser marks as coming from another site, is
 * refused, and a change needs a content type that a form cannot send.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Exchange from "../../Exchange.ts"
import * as Faults from "../../Faults.ts"
import { type Answer, json } from "../exchange/Answer.ts"
import * as OwnPages from "./OwnPages.ts"

export const PATH = "/sandbox/faults"

interface Incoming {
  readonly method: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

const told = (status: number, path: string, reason: string): Answer => ({
  ...json(JSON.stringify({ path, reason })),
  status
})

const refused = (status: number, reason: string): Answer => told(status, "", reason)

const isJson = (type: string | undefined): boolean =>
  type?.split(";", 1)[0]?.trim().toLowerCase() === "application/json"

const parse = (text: string): Result.Result<unknown, Faults.Problem> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => ({
      path: "",
      reason: `not valid JSON: ${error instanceof Error ? error.message : String(error)}`
    })
  })

const inForce = (faults: Faults.Faults): Answer => json(JSON.stringify(faults))

const replaced = (exchange: Exchange.Exchange["Service"], { body, headers }: Incoming) => {
  if (!isJson(headers["content-type"])) {
    return Effect.succeed(refused(415, "the content type must be application/json"))
  }
  return Result.match(Result.flatMap(parse(body), Faults.decode), {
    onFailure: ({ path, reason }) => Effect.succeed(told(400, path, reason)),
    onSuccess: (faults) => Effect.as(exchange.setFaults(faults), inForce(faults))
  })
}

/** Answers a request to `PATH` of the server on this port. */
export const answer = (
  exchange: Exchange.Exchange["Service"],
  request: Incoming,
  port: number
): Effect.Effect<Answer> => {
  if (!OwnPages.asks(request, port)) {
    return Effect.succeed(refused(403, "only this server's own pages and programs may ask"))
  }
  switch (request.method) {
    case "GET":
      return Effect.map(exchange.faults, inForce)
    case "PUT":
      return replaced(exchange, request)
    case "DELETE":
      return Effect.as(exchange.setFaults(Faults.none), inForce(Faults.none))
    default: {
      const answer = refused(405, "GET, PUT or DELETE")
      return Effect.succeed({ ...answer, headers: { ...answer.headers, allow: "GET, PUT, DELETE" } })
    }
  }
}

/**
 * Serves `/openapi.json` and `/sandbox/docs`, which describe the sandbox's answers to programs and to people. Like the faults
 * they stand beside the exchange: the rate limit, the faults and the log of requests do not apply to them.
 *
 * The page is Swagger UI with everything in it. Its policy lets it send requests to this server and to no other.
 */
import * as Effect from "effect/Effect"
import * as HttpApiSwagger from "effect/http-api/HttpApiSwagger"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { document, SandboxApi } from "../../SandboxApi.ts"
import { PAGE } from "../docs/Paths.ts"

const policy = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

/** The page for people. */
export const page = Effect.flatten(HttpRouter.toHttpEffect(HttpApiSwagger.layer(SandboxApi, { path: PAGE }))).pipe(
  Effect.map(HttpServerResponse.setHeaders({
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer"
  })),
  Effect.orDie
)

/** The document for programs. */
export const openApi = HttpServerResponse.text(JSON.stringify(document), { contentType: "application/json" })

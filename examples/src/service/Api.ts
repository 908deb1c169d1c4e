/** Our own HTTP API. It holds no server, so that a browser may derive a client from it. */
import * as ReportApi from "@tallystick/report/ReportApi"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiError from "effect/http-api/HttpApiError"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"

/** Lets in whoever knows the token. The reports name accounts, and have no guard of their own. */
export class Guard extends HttpApiMiddleware.Service<Guard>()("example/Guard", {
  error: HttpApiError.Unauthorized,
  security: { bearer: HttpApiSecurity.bearer }
}) {}

class Health extends HttpApiGroup.make("health").add(HttpApiEndpoint.get("ready", "/health")) {}

export class Api extends HttpApi.make("books")
  .add(Health, ReportApi.ReportApi.prefix("/books").middleware(Guard))
  .annotateMerge(OpenApi.annotations({ title: "Our books", version: "1" }))
{}

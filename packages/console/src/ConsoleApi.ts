/**
 * Describes what the console answers: the books of an archive, for its page and for programs.
 *
 * This module holds no server, so that a browser or another service may derive a client from it; `ConsoleClient` is that client.
 * Amounts are exact decimal text, times are Unix milliseconds.
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { BooksApi } from "./internal/api/BooksApi.ts"
import { DecisionsApi } from "./internal/api/DecisionsApi.ts"
import { EntriesApi } from "./internal/api/EntriesApi.ts"
import { EventsApi } from "./internal/api/EventsApi.ts"
import { ItemsApi } from "./internal/api/ItemsApi.ts"
import { PeriodsApi } from "./internal/api/PeriodsApi.ts"
import { RunsApi } from "./internal/api/RunsApi.ts"
import { SessionApi } from "./internal/api/SessionApi.ts"
import { StatusApi } from "./internal/api/StatusApi.ts"

export class ConsoleApi extends HttpApi.make("console")
  .add(SessionApi, StatusApi, BooksApi, ItemsApi, EntriesApi, DecisionsApi, RunsApi, PeriodsApi, EventsApi)
  // A filter or a key that the console does not know would be left out of what it does: it refuses the request instead.
  .annotate(HttpApi.ParamsParseOptions, { errors: "all" })
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotate(HttpApi.PayloadParseOptions, { errors: "all", onExcessProperty: "error" })
  .annotateMerge(OpenApi.annotations({
    title: "Tallystick console",
    version: "1",
    description: "The books of an archive. Amounts are exact decimal text, times are Unix milliseconds."
  }))
{}

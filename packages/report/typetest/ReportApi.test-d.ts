/** The types that a program which serves reports may rely on. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import * as ReportApi from "@tallystick/report/ReportApi"
import * as ReportApiServer from "@tallystick/report/ReportApiServer"
import type * as Reports from "@tallystick/report/Reports"
import type * as Effect from "effect/Effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import type * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

class Own extends HttpApiGroup.make("own") {}
class Authorization extends HttpApiMiddleware.Service<Authorization>()("test/Authorization") {}

const Plain = HttpApi.make("plain").add(ReportApi.ReportApi)
expectTypeOf(ReportApiServer.layer(Plain)).toEqualTypeOf<
  Layer.Layer<HttpApiGroup.Service<"plain", "tallystick">, never, Reports.Reports>
>()

// A program's own middleware is asked for, wherever it stands.
const Guarded = HttpApi.make("guarded").add(Own, ReportApi.ReportApi.prefix("/books")).middleware(Authorization)
expectTypeOf(ReportApiServer.layer(Guarded, { idle: "5 seconds" })).toEqualTypeOf<
  Layer.Layer<HttpApiGroup.Service<"guarded", "tallystick">, never, Authorization | Reports.Reports>
>()

// @ts-expect-error an API without the group has nothing to handle
ReportApiServer.layer(HttpApi.make("bare").add(Own))

declare const client: HttpApiClient.ForApi<typeof Plain>
// @ts-expect-error a code that no outcome has
void client.tallystick.outcomes({ query: { code: ["lost"] } })
const found = client.tallystick.outcome({ params: { id: "c0ffee" } })
expectTypeOf<Effect.Success<typeof found>>().toEqualTypeOf<Outcome.Outcome>()
const watched = client.tallystick.events({ headers: {} })
expectTypeOf<Stream.Success<Effect.Success<typeof watched>>>().toEqualTypeOf<ReportApi.News>()

declare const reports: Reports.Service
declare const run: Stream.Stream<Reconciliation.Event, "no ledger", "Ledger">
expectTypeOf(reports.publishEvents(run)).toEqualTypeOf<Effect.Effect<Report.Report, "no ledger", "Ledger">>()
const whole = client.tallystick.whole()
expectTypeOf<Effect.Success<typeof whole>>().toEqualTypeOf<Report.Report>()

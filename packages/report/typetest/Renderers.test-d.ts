/** The types that a program which writes reports may rely on. */
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import type { InvalidSlice } from "@tallystick/reconcile/InvalidSlice"
import type * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import * as Json from "@tallystick/report/Json"
import * as Ndjson from "@tallystick/report/Ndjson"
import * as Table from "@tallystick/report/Table"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

declare const ledger: Stream.Stream<Slice.Slice<Entry.Entry>, "no ledger", "Ledger">
declare const bank: Stream.Stream<Slice.Slice<Entry.Entry>, "no bank", "Bank">
declare const report: Report.Report

// Renderers are plain functions of a report, or of the outcomes as they come.
expectTypeOf(Table.render(report)).toEqualTypeOf<string>()
expectTypeOf(Json.parts(report)).toExtend<Iterable<string>>()
expectTypeOf(Ndjson.lines(Reconciliation.events(ledger, bank))).toExtend<
  Stream.Stream<
    string,
    "no ledger" | "no bank" | InvalidRange | InvalidSlice | PolicyError.PolicyError | Unordered,
    "Ledger" | "Bank"
  >
>()

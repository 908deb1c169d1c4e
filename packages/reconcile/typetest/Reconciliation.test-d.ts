/** What whoever composes the engine may rely on. */
import type * as Broker from "@tallystick/core/Broker"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Slice from "@tallystick/core/Slice"
import * as BrokerReconciliation from "@tallystick/reconcile/BrokerReconciliation"
import type * as Entry from "@tallystick/reconcile/Entry"
import type { InvalidSlice } from "@tallystick/reconcile/InvalidSlice"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Policy from "@tallystick/reconcile/Policy"
import type * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import type * as Report from "@tallystick/reconcile/Report"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

declare const ledger: Stream.Stream<Slice.Slice<Entry.Entry>, "no ledger", "Ledger">
declare const bank: Stream.Stream<Slice.Slice<Entry.Entry>, "no bank", "Bank">
declare const range: { readonly from: number; readonly to: number }
declare const report: Report.Report

// Errors and requirements of both sides come through, and nothing else but the policy's, and that of a slice of no interval.
expectTypeOf(Reconciliation.reconcile(ledger, bank)).toEqualTypeOf<
  Effect.Effect<
    Report.Report,
    "no ledger" | "no bank" | InvalidRange | InvalidSlice | PolicyError.PolicyError,
    "Ledger" | "Bank"
  >
>()
expectTypeOf(Reconciliation.outcomes(ledger, bank)).toEqualTypeOf<
  Stream.Stream<
    Outcome.Outcome,
    "no ledger" | "no bank" | InvalidRange | InvalidSlice | PolicyError.PolicyError | Unordered,
    "Ledger" | "Bank"
  >
>()
expectTypeOf(BrokerReconciliation.run({ range })).toEqualTypeOf<
  Effect.Effect<Report.Report, BrokerError.RequestError | InvalidRange | PolicyError.PolicyError, Broker.Broker>
>()
expectTypeOf(BrokerReconciliation.events({ range })).toEqualTypeOf<
  Stream.Stream<
    Reconciliation.Event,
    BrokerError.RequestError | InvalidRange | PolicyError.PolicyError | Unordered,
    Broker.Broker
  >
>()

// A policy is decoded before it is used; the defaults are one.
expectTypeOf(Policy.defaults).toEqualTypeOf<Policy.Resolved>()
expectTypeOf(Policy.decode).returns.toExtend<Result.Result<unknown, PolicyError.PolicyError>>()

// Amounts are text, times are numbers, in what comes in and in what comes out.
expectTypeOf<Entry.Entry["amount"]>().toEqualTypeOf<string>()
expectTypeOf<Entry.Entry["at"]>().toEqualTypeOf<number>()
expectTypeOf<Report.Report["clean"]>().toEqualTypeOf<boolean>()
expectTypeOf<Report.Report["version"]>().toEqualTypeOf<1 | 2>()
expectTypeOf<Report.Report["outcomes"][number]>().toExtend<Outcome.Outcome>()
expectTypeOf(report).toExtend<Report.Summary>()

// What was not checked cannot be resolved, whatever its type promises.
void Policy.make({ window: { after: "1 hours ago" } })
// @ts-expect-error a literal is not checked
Policy.resolve({ window: { after: "1 hours ago" } })
expectTypeOf(Policy.make({})).toEqualTypeOf<Effect.Effect<Policy.Resolved, PolicyError.PolicyError>>()

/** What whoever keeps an archive may rely on. */
import * as Archive from "@tallystick/archive/Archive"
import type { ArchiveError } from "@tallystick/archive/ArchiveError"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type * as Runs from "@tallystick/archive/Runs"
import * as Sync from "@tallystick/archive/Sync"
import type * as Broker from "@tallystick/core/Broker"
import type { ConfigurationError } from "@tallystick/core/BrokerConfig"
import type * as BrokerError from "@tallystick/core/BrokerError"
import type { InvalidRange } from "@tallystick/core/InvalidRange"
import type { PolicyError } from "@tallystick/reconcile/PolicyError"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { expectTypeOf } from "vitest"

declare const range: { readonly from: number; readonly to: number }
declare const accounts: Sync.Options["accounts"]

// An archive needs nothing but a place, and brings its runs along.
expectTypeOf(Archive.Archive.layerConfig).returns.toEqualTypeOf<
  Layer.Layer<Archive.Archive | Runs.Runs, ArchiveError | ConfigurationError>
>()
expectTypeOf(Archive.Archive.layerMemory).returns.toEqualTypeOf<Layer.Layer<Archive.Archive | Runs.Runs>>()
expectTypeOf(Archive.Archive.layerSqlite).returns.toEqualTypeOf<
  Layer.Layer<Archive.Archive | Runs.Runs, ArchiveError>
>()
expectTypeOf(Archive.Archive.layerPostgres).parameter(0).toHaveProperty("url").toEqualTypeOf<Redacted.Redacted>()

// A round needs a broker and an archive, a reconciliation the archive alone.
expectTypeOf(Sync.run({ accounts })).toEqualTypeOf<
  Effect.Effect<Sync.Summary, BrokerError.RequestError | ArchiveError, Broker.Broker | Archive.Archive>
>()
expectTypeOf(ArchiveReconciliation.record({ range, accounts })).toEqualTypeOf<
  Effect.Effect<ArchiveReconciliation.Recorded, ArchiveError | InvalidRange | PolicyError, Archive.Archive | Runs.Runs>
>()

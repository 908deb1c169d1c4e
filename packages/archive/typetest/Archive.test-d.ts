/** What whoever keeps an archive may rely on. */
import * as Archive from "@tallystick/archive/Archive"
import type * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import type * as Books from "@tallystick/archive/Books"
import type * as Candidates from "@tallystick/archive/Candidates"
import type * as Decisions from "@tallystick/archive/Decisions"
import type * as ItemPages from "@tallystick/archive/ItemPages"
import type * as Notices from "@tallystick/archive/Notices"
import type * as OpenItems from "@tallystick/archive/OpenItems"
import type * as Periods from "@tallystick/archive/Periods"
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
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

declare const range: { readonly from: number; readonly to: number }
declare const accounts: Sync.Options["accounts"]

// An archive needs nothing but a place, and brings its runs, its books and its decisions along.
expectTypeOf(Archive.Archive.layerConfig).returns.toEqualTypeOf<
  Layer.Layer<
    | Archive.Archive
    | Books.Books
    | Candidates.Candidates
    | Decisions.Decisions
    | ItemPages.ItemPages
    | Notices.Notices
    | OpenItems.OpenItems
    | Periods.Periods
    | Runs.Runs,
    ArchiveError.OpenError | ConfigurationError
  >
>()
expectTypeOf(Archive.Archive.layerMemory).returns.toEqualTypeOf<
  Layer.Layer<
    | Archive.Archive
    | Books.Books
    | Candidates.Candidates
    | Decisions.Decisions
    | ItemPages.ItemPages
    | Notices.Notices
    | OpenItems.OpenItems
    | Periods.Periods
    | Runs.Runs
  >
>()
expectTypeOf(Archive.Archive.layerSqlite).returns.toEqualTypeOf<
  Layer.Layer<
    | Archive.Archive
    | Books.Books
    | Candidates.Candidates
    | Decisions.Decisions
    | ItemPages.ItemPages
    | Notices.Notices
    | OpenItems.OpenItems
    | Periods.Periods
    | Runs.Runs,
    ArchiveError.OpenError
  >
>()
expectTypeOf(Archive.Archive.layerPostgres).parameter(0).toHaveProperty("url").toEqualTypeOf<Redacted.Redacted>()

// A round needs a broker and an archive, a reconciliation the archive alone.
expectTypeOf(Sync.run({ accounts })).toEqualTypeOf<
  Effect.Effect<Sync.Summary, BrokerError.RequestError | ArchiveError.SyncError, Broker.Broker | Archive.Archive>
>()
expectTypeOf(ArchiveReconciliation.record({ range, accounts })).toEqualTypeOf<
  Effect.Effect<
    ArchiveReconciliation.Recorded,
    ArchiveError.SlicesError | InvalidRange | PolicyError,
    Archive.Archive | Runs.Runs
  >
>()

// Each operation has the reasons that it can give, and no other.
declare const archive: Archive.Service
declare const runs: Runs.Service
type Tag<Error extends ArchiveError.ArchiveError> = Error["reason"]["_tag"]
type OfDatabase = ArchiveError.DatabaseReason["_tag"]
expectTypeOf(archive.coveredTo).toEqualTypeOf<Effect.Effect<number | null, ArchiveError.DatabaseError>>()
expectTypeOf<Tag<ArchiveError.DatabaseError>>().toEqualTypeOf<OfDatabase>()
expectTypeOf<"Held" | "Changed" | "Newer" | "InvalidRange" | "Exists">().not.toExtend<OfDatabase>()
expectTypeOf<Tag<Effect.Error<ReturnType<typeof archive.coverage>>>>().toEqualTypeOf<OfDatabase | "InvalidRange">()
expectTypeOf<Tag<Effect.Error<ReturnType<typeof archive.claim>>>>().toEqualTypeOf<OfDatabase | "OtherMaster">()
expectTypeOf<Tag<Effect.Error<ReturnType<typeof archive.exclusive>>>>()
  .toEqualTypeOf<OfDatabase | "Held" | "Foreign" | "Newer">()
expectTypeOf<Tag<Stream.Error<ReturnType<typeof archive.deposits.slices>>>>()
  .toEqualTypeOf<OfDatabase | "InvalidRange" | "Changed">()
expectTypeOf<Tag<Stream.Error<ReturnType<typeof runs.outcomes>>>>().toEqualTypeOf<OfDatabase | "Pruned">()
expectTypeOf<ArchiveError.SyncError>().toExtend<ArchiveError.ArchiveError>()
// A kind narrows a reason to those of its kind.
declare const reason: ArchiveError.SyncError["reason"]
if (reason.category === "owner") expectTypeOf(reason).toEqualTypeOf<ArchiveError.Foreign | ArchiveError.OtherMaster>()
if (reason.category === "damaged") expectTypeOf(reason).toEqualTypeOf<ArchiveError.Damaged | ArchiveError.Reverted>()

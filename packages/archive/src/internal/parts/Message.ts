/** What a thread is told that decides a part, and what it tells. */
import { InvalidRange } from "@tallystick/core/InvalidRange"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import * as Schema from "effect/Schema"
import * as ArchiveError from "../../ArchiveError.ts"
import * as Order from "./Order.ts"

/** The entry of the thread lies beside this module, with the ending that this one has. */
export const ENTRY = new URL(import.meta.url.endsWith(".ts") ? "./PartThread.ts" : "./PartThread.js", import.meta.url)

export const Start = Schema.Struct({
  /** Where the archive is. The address of PostgreSQL has its password; it goes to a thread of this process and nowhere else. */
  place: Schema.Union([
    Schema.TaggedStruct("File", { file: Schema.String }),
    Schema.TaggedStruct("Postgres", { url: Schema.String })
  ]),
  order: Order.Order,
  /** Whether somebody wants to know how far it is. */
  isWatched: Schema.Boolean
})
export type Start = typeof Start.Type

/** The reasons of `ArchiveError.SlicesError`. */
export const Reason = Schema.Union([
  ArchiveError.Locked,
  ArchiveError.Superseded,
  ArchiveError.Reverted,
  ArchiveError.Moved,
  ArchiveError.ReadOnly,
  ArchiveError.DiskFull,
  ArchiveError.Damaged,
  ArchiveError.Unreachable,
  ArchiveError.CannotOpen,
  ArchiveError.Failed,
  ArchiveError.Changed,
  InvalidRange
])

export type Message =
  | { readonly _tag: "Progress"; readonly done: number; readonly of: number }
  /** Some outcomes of the part, in its order. */
  | { readonly _tag: "Outcomes"; readonly outcomes: ReadonlyArray<Outcome.Outcome> }
  /** All outcomes were told. */
  | { readonly _tag: "Decided"; readonly sums: Report.Sums }
  /** The archive does not hold what it held when the run was surveyed. */
  | { readonly _tag: "Moved" }
  | { readonly _tag: "Failed"; readonly reason: typeof Reason.Encoded }

const TAGS: ReadonlySet<unknown> = new Set<Message["_tag"]>(["Progress", "Outcomes", "Decided", "Moved", "Failed"])

/** Tells whether it is a message. Threads of one process are of one version, so that its tag says what it holds. */
export const isMessage = (message: unknown): message is Message =>
  typeof message === "object" && message !== null && "_tag" in message && TAGS.has(message._tag)

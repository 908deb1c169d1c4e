/** What a program that reads its own rows, lines or tables may rely on. */
import * as Slice from "@tallystick/core/Slice"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import type { InvalidHeader } from "@tallystick/reconcile/InvalidHeader"
import type { Unordered } from "@tallystick/reconcile/Unordered"
import type * as Stream from "effect/Stream"
import { expectTypeOf } from "vitest"

declare const rows: Stream.Stream<EntryStream.Source, "no ledger", "Ledger">
declare const bytes: Stream.Stream<Uint8Array, "no file", "Files">
declare const options: EntryStream.CsvOptions
declare const entries: Stream.Stream<Entry.Entry, "no ledger", "Ledger">

type Slices<E, R> = Stream.Stream<Slice.Slice<Entry.Entry>, E, R>

// Errors and requirements of the source come through, and of its own each has only those that it may have.
expectTypeOf(EntryStream.fromRows(rows, options)).toEqualTypeOf<Slices<"no ledger" | Unordered, "Ledger">>()
expectTypeOf(EntryStream.fromNdjson(bytes, options)).toEqualTypeOf<Slices<"no file" | Unordered, "Files">>()
expectTypeOf(EntryStream.fromCsv(bytes, options)).toEqualTypeOf<
  Slices<"no file" | InvalidHeader | Unordered, "Files">
>()
expectTypeOf(Slice.fromEntries(entries, [])).toEqualTypeOf<Slices<"no ledger", "Ledger">>()

// Data first or last, it is the same.
expectTypeOf(rows.pipe(EntryStream.fromRows(options))).toEqualTypeOf(EntryStream.fromRows(rows, options))
expectTypeOf(bytes.pipe(EntryStream.fromNdjson(options))).toEqualTypeOf(EntryStream.fromNdjson(bytes, options))
expectTypeOf(bytes.pipe(EntryStream.fromCsv(options))).toEqualTypeOf(EntryStream.fromCsv(bytes, options))
expectTypeOf(entries.pipe(Slice.fromEntries([]))).toEqualTypeOf(Slice.fromEntries(entries, []))

declare const plain: EntryStream.TextOptions
declare const texts: Stream.Stream<string>
export const refused: ReadonlyArray<unknown> = [
  // @ts-expect-error nobody vouches for a source that says nothing of its coverage
  EntryStream.fromCsv(bytes, { side: "transfer", policy: options.policy, accounts: options.accounts }),
  // @ts-expect-error no entry has such a field
  EntryStream.fromCsv(bytes, { ...options, names: { booking: "id" } }),
  // @ts-expect-error lines of JSON have no delimiter
  EntryStream.fromNdjson(bytes, { ...plain, delimiter: ";" }),
  // @ts-expect-error bytes are no rows
  EntryStream.fromRows(bytes, options),
  // @ts-expect-error a text is no bytes: nobody knows what it was decoded from
  EntryStream.fromNdjson(texts, options)
]

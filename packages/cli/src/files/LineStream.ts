/** A file or stdin as text that is read by and by, with its beginning, which tells its form. */
import * as CsvPieces from "@tallystick/reconcile/rows/CsvPieces"
import * as Utf8 from "@tallystick/reconcile/rows/Utf8"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as FileBytes from "./FileBytes.ts"
import * as FileLimit from "./FileLimit.ts"

/** Bytes as text. What is no UTF-8 is refused. */
export const text =
  (name: string) => <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<string, E | Failure.Failure, R> =>
    Stream.tap(
      Utf8.text(bytes),
      (part): Effect.Effect<void, Failure.Failure> =>
        part.isWellFormed() ? Effect.void : Failure.usage(`${name} cannot be read: it is not UTF-8 text`)
    )

/** Opens a file as text. */
export const opened = (path: string) =>
  CsvPieces.opened(FileBytes.read(path).pipe(FileLimit.lines(path), text(FileBytes.nameOf(path))))

/** `--book`: the run is one of the books, and says where the entries of its range stand. */
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import * as AuthorFlags from "./AuthorFlags.ts"

export const flags = {
  book: Flag.Boolean("book").pipe(
    Flag.withDescription(
      "With --archive: bring the books forward by this run, for tallystick open and tallystick item"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  declare: Flag.Boolean("declare").pipe(
    Flag.withDescription(
      "With --book: from this run on the books follow its policy, accounts and addresses, whatever they followed before"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  noCarry: Flag.Boolean("no-carry").pipe(
    Flag.withDescription(
      "With --book: judge the range alone, and not again the earlier time in which something changed since"
    ),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  by: AuthorFlags.flag.pipe(
    Flag.withDescription(
      "Who makes the report, which says so; with --book, who brings the books forward: without it, the user that the operating system names"
    )
  )
}

export interface Flags extends AuthorFlags.Flags {
  readonly book: boolean
  readonly declare: boolean
  readonly noCarry: boolean
}

interface Given extends Flags {
  readonly noRecord: boolean
}

/** Refuses flags that contradict each other. `isKept`: both sides come from an archive. */
export const checked = Effect.fnUntraced(function*(
  given: Given,
  isKept: boolean
): Effect.fn.Return<void, Failure.Failure> {
  const { book, declare, noCarry, noRecord } = given
  if (!book && (declare || noCarry)) {
    return yield* Failure.usage(`${declare ? "--declare" : "--no-carry"} is about the books: give --book with it`)
  }
  if (book && !isKept) {
    return yield* Failure.usage(
      "--book brings the books of an archive forward: give --archive or --archive-file with it"
    )
  }
  return book && noRecord
    ? yield* Failure.usage("--book needs the run to be recorded: leave out --no-record")
    : undefined
})

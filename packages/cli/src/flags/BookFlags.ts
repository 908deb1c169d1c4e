/** `--book`: the run is one of the books, and says where the entries of its range stand. */
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
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
  pricesIn: Flag.String("prices-in").pipe(
    Flag.withMetavar("CURRENCY"),
    Flag.withDescription(
      "With --book and --prices: the currency of the prices, as in USD. The books keep both, so that no price is held against one in " +
        "another currency"
    ),
    Flag.optional
  ),
  by: AuthorFlags.flag.pipe(
    Flag.withDescription(
      "With --book: who brings the books forward; without it, the user that the operating system names"
    )
  )
}

export interface Flags extends AuthorFlags.Flags {
  readonly book: boolean
  readonly declare: boolean
  readonly noCarry: boolean
  readonly pricesIn: Option.Option<string>
}

interface Given extends Flags {
  readonly noRecord: boolean
  readonly prices: Option.Option<string>
}

/** Says what is wrong with the currency; nothing where it is none, or one that the books keep. */
const currencyFault = ({ prices, pricesIn }: Pick<Given, "prices" | "pricesIn">): string | undefined => {
  if (Option.isNone(pricesIn)) return undefined
  if (Option.isNone(prices)) return "--prices-in names the currency of --prices: give both"
  return /^[A-Za-z0-9]{1,20}$/.test(pricesIn.value)
    ? undefined
    : `--prices-in is ${
      JSON.stringify(pricesIn.value)
    }; the name of a currency was wanted: 1 to 20 letters and digits, as in USD`
}

/** Refuses flags that contradict each other. `isKept`: both sides come from an archive. */
export const checked = Effect.fnUntraced(function*(
  given: Given,
  isKept: boolean
): Effect.fn.Return<void, Failure.Failure> {
  const { book, by, declare, noCarry, noRecord, pricesIn } = given
  if (!book && (declare || noCarry || Option.isSome(pricesIn) || Option.isSome(by))) {
    const flag = declare ? "--declare" : noCarry ? "--no-carry" : Option.isSome(pricesIn) ? "--prices-in" : "--by"
    return yield* Failure.usage(`${flag} is about the books: give --book with it`)
  }
  if (book && !isKept) {
    return yield* Failure.usage(
      "--book brings the books of an archive forward: give --archive or --archive-file with it"
    )
  }
  const fault = currencyFault(given)
  if (fault !== undefined) return yield* Failure.usage(fault)
  return book && noRecord
    ? yield* Failure.usage("--book needs the run to be recorded: leave out --no-record")
    : undefined
})

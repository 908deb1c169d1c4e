/** How a report is written, and what it is worth: the flags that `reconcile` and `show` share. */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Configured from "../config/Configured.ts"
import * as ReportFormat from "../config/ReportFormat.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import * as AuthorFlags from "./AuthorFlags.ts"
import * as Ending from "./Ending.ts"
import * as InputFlags from "./InputFlags.ts"
import { out } from "./OutFlag.ts"

export const flags = {
  format: Flag.Literals("format", ReportFormat.names).pipe(
    Flag.withDescription(
      `${ReportFormat.explained}. Default: as the name of --out ends (${ReportFormat.endings.join(", ")}), else ` +
        `TALLYSTICK_FORMAT, else ${ReportFormat.standard}`
    ),
    Flag.optional
  ),
  out,
  title: Flag.String("title").pipe(
    Flag.withMetavar("NAME"),
    Flag.withSchema(AuthorFlags.Name),
    Flag.withDescription("Whose books these are: the report has it in its title"),
    Flag.optional
  ),
  prices: InputFlags.configured(
    "prices",
    "What a unit of an asset is worth, all in one currency: JSON {\"BTC\": \"65000.12\"}, or CSV with asset and price. The " +
      "most money comes first then; without it, breaks are ordered by asset and difference"
  ),
  pricesIn: Flag.String("prices-in").pipe(
    Flag.withMetavar("CURRENCY"),
    Flag.withDescription(
      "With --prices: their currency, as in USD, which the report names. With --book the books keep both, so that no price is held " +
        "against one in another currency"
    ),
    Flag.optional
  ),
  only: Flag.String("only").pipe(
    Flag.withMetavar("WORD,…"),
    Flag.withDescription(
      "Write only these outcomes: open (breaks that nobody accepted), kinds (discrepancy, undetermined, pending, set-aside, " +
        "matched) or codes (missing-transfer). Totals and counts stay those of all, and the report says what it leaves out"
    ),
    Flag.optional
  ),
  withoutMatches: Flag.Boolean("without-matches").pipe(
    Flag.withDescription("Write everything but matches: of many outcomes, a file that can be mailed"),
    Flag.withoutNegation,
    Flag.withDefault(false)
  ),
  maskAccounts: Flag.Boolean("mask-accounts").pipe(
    Flag.withDescription(
      "For reports that are mailed: accounts, addresses and memos under other names, and without the records' own text"
    ),
    Flag.withDefault(false)
  )
}

export interface Flags {
  readonly format: Option.Option<ReportFormat.ReportFormat>
  readonly out: Option.Option<string>
  readonly title: Option.Option<string>
  readonly prices: Option.Option<string>
  readonly pricesIn: Option.Option<string>
  readonly only: Option.Option<string>
  readonly withoutMatches: boolean
  readonly maskAccounts: boolean
}

/** The accounts whose names a report hides: those of the run, where masking is asked for. */
export const maskedBy = (
  { maskAccounts }: Pick<Flags, "maskAccounts">,
  accounts: Accounts.Accounts
): Accounts.Accounts | undefined => (maskAccounts ? accounts : undefined)

/** Gives the currency of the prices, where it is named: one that the books can keep. */
export const currency = Effect.fnUntraced(function*(
  { prices, pricesIn }: Pick<Flags, "prices" | "pricesIn">
): Effect.fn.Return<string | undefined, Failure.Failure> {
  if (Option.isNone(pricesIn)) return undefined
  if (Option.isNone(prices)) return yield* Failure.usage("--prices-in names the currency of --prices: give both")
  if (/^[A-Za-z0-9]{1,20}$/.test(pricesIn.value)) return pricesIn.value
  return yield* Failure.usage(
    `--prices-in is ${
      JSON.stringify(pricesIn.value)
    }; the name of a currency was wanted: 1 to 20 letters and digits, as in USD`
  )
})

const configured = Effect.gen(function*(): Effect.gen.Return<ReportFormat.ReportFormat, Failure.Failure> {
  const { variable } = Setting.inputs.format
  const said = yield* Configured.value(variable)
  if (said === undefined) return ReportFormat.standard
  if (ReportFormat.is(said.value)) return said.value
  return yield* Failure.usage(`${yield* Configured.nameOf(variable)} must be one of ${ReportFormat.listed}`)
})

/** The form that `--format` asks for, else the one that the file's name means. A name of another kind of file needs `--format`. */
export const asked = (
  { format, out }: Pick<Flags, "format" | "out">
): Effect.Effect<ReportFormat.ReportFormat | undefined, Failure.Failure> => {
  if (Option.isSome(format)) return Effect.succeed(format.value)
  const path = Option.getOrElse(out, () => "")
  return Ending.otherKinds.has(Ending.of(path))
    ? Effect.fail(Failure.usage(
      `--out: no report is written as .${
        Ending.of(path)
      }; let the name end in .html, .xlsx, .csv, .json, .ndjson, .md or .txt, or give --format`
    ))
    : Effect.succeed(ReportFormat.ofEnding(Ending.of(path)))
}

/** The form that was asked for, else the configured one. A workbook goes to no terminal, which could not show it. */
export const formatOf = Effect.fnUntraced(function*(flags: Pick<Flags, "format" | "out">) {
  const format = (yield* asked(flags)) ?? (yield* configured)
  return format === "xlsx" && Option.isNone(flags.out) &&
      (yield* Stdio.Stdio.use(({ stdoutIsTerminal }) => stdoutIsTerminal))
    ? yield* Failure.usage("a terminal shows no xlsx: name a file with --out, or choose another --format")
    : format
})

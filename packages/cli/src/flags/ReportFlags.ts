/** How a report is written, and what it is worth: the flags that `reconcile` and `show` share. */
import type * as Accounts from "@tallystick/reconcile/Accounts"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Configured from "../config/Configured.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import * as InputFlags from "./InputFlags.ts"
import { out } from "./OutFlag.ts"

/** The forms of a report; `ndjson` alone is written line by line, as the outcomes are decided. */
export type Format = typeof Setting.formats[number]

export const flags = {
  format: Flag.Literals("format", Setting.formats).pipe(
    Flag.withDescription(
      "table, markdown and html for people, csv for spreadsheets, json for programs, ndjson for any size: a line an outcome " +
        "as soon as it is decided. Default: as the name of --out ends (.json, .ndjson, .csv, .md, .html), else TALLYSTICK_FORMAT, else table"
    ),
    Flag.optional
  ),
  out,
  prices: InputFlags.configured(
    "prices",
    "What a unit of an asset is worth, all in one currency: JSON {\"BTC\": \"65000.12\"}, or CSV with asset and price. The " +
      "most money comes first then; without it, breaks are ordered by asset and amount"
  ),
  maskAccounts: Flag.Boolean("mask-accounts").pipe(
    Flag.withDescription(
      "For reports that are mailed: accounts, addresses and memos under other names, and without the records' own text"
    ),
    Flag.withDefault(false)
  )
}

export interface Flags {
  readonly format: Option.Option<Format>
  readonly out: Option.Option<string>
  readonly prices: Option.Option<string>
  readonly maskAccounts: boolean
}

/** Whose names a report hides: those of the run's accounts, where that is asked for. */
export const maskedBy = (
  { maskAccounts }: Pick<Flags, "maskAccounts">,
  accounts: Accounts.Accounts
): Accounts.Accounts | undefined => (maskAccounts ? accounts : undefined)

const endings: ReadonlyMap<string, Format> = new Map([
  ["json", "json"],
  ["ndjson", "ndjson"],
  ["jsonl", "ndjson"],
  ["csv", "csv"],
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["html", "html"],
  ["htm", "html"]
])

const ending = (path: string): string => /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""

const byName = (path: string): Format | undefined => endings.get(ending(path))

/** Names that promise what no report is: whoever opens such a file would find something else. */
const otherKinds: ReadonlySet<string> = new Set(
  ["pdf", "xls", "xlsx", "ods", "doc", "docx", "odt", "rtf", "tsv", "xml", "yaml", "yml", "parquet", "png", "gz", "zip"]
)

const isFormat = (text: string): text is Format => Setting.formats.some((format) => format === text)

const configured = Effect.gen(function*(): Effect.gen.Return<Format, Failure.Failure> {
  const { variable } = Setting.inputs.format
  const said = yield* Configured.value(variable)
  if (said === undefined) return "table"
  if (isFormat(said.value)) return said.value
  return yield* Failure.usage(`${yield* Configured.nameOf(variable)} must be one of ${Setting.formats.join(", ")}`)
})

/** What was asked for, else what the name of the file says. A name of another kind of file is refused, unless a form is asked for. */
export const asked = (
  { format, out }: Pick<Flags, "format" | "out">
): Effect.Effect<Format | undefined, Failure.Failure> => {
  if (Option.isSome(format)) return Effect.succeed(format.value)
  const path = Option.getOrElse(out, () => "")
  return otherKinds.has(ending(path))
    ? Effect.fail(Failure.usage(
      `--out: no report is written as .${
        ending(path)
      }; let the name end in .html, .csv, .json, .ndjson, .md or .txt, or give --format`
    ))
    : Effect.succeed(byName(path))
}

/** What was asked for, else what is configured. */
export const formatOf = (flags: Pick<Flags, "format" | "out">): Effect.Effect<Format, Failure.Failure> =>
  Effect.filterOrElse(asked(flags), Predicate.isNotUndefined, () => configured)

/** How a report is written, and what it is worth: the flags that `reconcile` and `show` share. */
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import * as InputFlags from "./InputFlags.ts"
import { out } from "./OutFlag.ts"

const formats = ["table", "json", "ndjson", "csv", "markdown", "html"] as const

/** The forms of a report; `ndjson` alone is written line by line, as the outcomes are decided. */
export type Format = typeof formats[number]

export const flags = {
  format: Flag.Literals("format", formats).pipe(
    Flag.withDescription(
      "table, markdown and html for people, csv for spreadsheets, json for programs, ndjson for any size: a line an outcome " +
        "as soon as it is decided. Default: as the name of --out ends (.json, .ndjson, .csv, .md, .html), else table"
    ),
    Flag.optional
  ),
  out,
  prices: InputFlags.configured(
    "prices",
    "What a unit of an asset is worth, all in one currency: JSON {\"BTC\": \"65000.12\"}, or CSV with asset and price. The " +
      "most money comes first then; without it, breaks are ordered by asset and amount"
  )
}

export interface Flags {
  readonly format: Option.Option<Format>
  readonly out: Option.Option<string>
  readonly prices: Option.Option<string>
}

const endings: Readonly<Record<string, Format>> = {
  json: "json",
  ndjson: "ndjson",
  jsonl: "ndjson",
  csv: "csv",
  md: "markdown",
  markdown: "markdown",
  html: "html",
  htm: "html"
}

const byName = (path: string): Format | undefined => endings[/\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ""]

/** What was asked for, or what the name of the file says. */
export const formatOf = ({ format, out }: Pick<Flags, "format" | "out">): Format =>
  Option.getOrElse(format, () => Option.getOrUndefined(Option.map(out, byName)) ?? "table")

/** The report as one HTML file that needs nothing else: no network, no server, no other file. */
import type * as DateTime from "effect/DateTime"
import type * as Report from "../Report.ts"
import type * as Prices from "./Prices.ts"

export interface Options {
  /** The zone of all times; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** What one unit of an asset is worth: the most money comes first. */
  readonly prices?: Prices.Prices | undefined
}

/** The text of the file in parts, so that no report is too long for a string. */
export const parts = (_report: Report.Report, _options: Options = {}): Iterable<string> => ["<!doctype html>\n"]

/** What every section of the terminal report is written with. */
import type * as Prices from "../Prices.ts"
import type { Style } from "./Style.ts"
import type { Times } from "./Times.ts"

export interface Sheet {
  /** Cells of a line. */
  readonly width: number
  readonly style: Style
  readonly times: Times
  /** The most outcomes that are shown of one code. */
  readonly limit: number
  /** What decides which outcomes come first. */
  readonly prices?: Prices.Prices | undefined
}

export type Lines = ReadonlyArray<string>

/** A section: its title, and its lines; none without lines. */
export const section = ({ style }: Sheet, title: string, lines: Lines): Lines =>
  lines.length === 0 ? [] : ["", style.strong(title), ...lines]

/** The options that every section of the terminal report uses. */
import type * as Timeline from "@tallystick/core/Timeline"
import type * as Extract from "@tallystick/reconcile/Extract"
import type * as Prices from "../Prices.ts"
import type { Style } from "./Style.ts"
import type { Times } from "./Times.ts"

export interface Sheet {
  /** The width of a line, in cells. */
  readonly width: number
  readonly style: Style
  readonly times: Times
  /** The most outcomes that are shown of one code. */
  readonly limit: number
  /** The prices, which decide which outcomes come first. */
  readonly prices?: Prices.Prices | undefined
  /** The name of their currency. */
  readonly currency?: string | undefined
  /** The range by which the report counts, Unix ms: entries outside of it are marked. Null or absent: nothing is outside. */
  readonly range?: Timeline.Interval | null | undefined
  /** The last reading, to which ages are counted, Unix ms; null or absent: nobody knows. */
  readonly asOf?: number | null | undefined
  /** Writes a moment as the sentences of the report do; absent: as sentences that stand alone, in UTC. */
  readonly at?: ((ms: number) => string) | undefined
  /** What the report leaves out; absent: nothing. */
  readonly carries?: Extract.Carries | undefined
}

export type Lines = ReadonlyArray<string>

/** Makes a section of its title and its lines; without lines there is no section. */
export const section = ({ style }: Sheet, title: string, lines: Lines): Lines =>
  lines.length === 0 ? [] : ["", style.strong(title), ...lines]

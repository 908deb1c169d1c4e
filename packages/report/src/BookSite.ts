/**
 * Writes the books as pages that need no server and no script: an index of days, a page a day, and a page an item. A page is a function of
 * its facts alone, so that a page whose facts did not change need not be written anew.
 */
import * as DayPage from "./internal/booksite/DayPage.ts"
import type { Day, Index, Look, Story } from "./internal/booksite/Facts.ts"
import * as Frame from "./internal/booksite/Frame.ts"
import * as IndexPage from "./internal/booksite/IndexPage.ts"
import * as ItemPage from "./internal/booksite/ItemPage.ts"
import * as Style from "./internal/booksite/Style.generated.ts"

export type {
  Aged,
  Ageing,
  Bound,
  Change,
  Code,
  Day,
  Decision,
  Difference,
  Entry,
  Index,
  Interval,
  Item,
  Judged,
  Look,
  Made,
  Period,
  State,
  Story,
  Unsettled,
  Waiting,
  WithoutEntries
} from "./internal/booksite/Facts.ts"

/** Returns the text of `index.html`. */
export const index = (facts: Index, look: Look): string => IndexPage.of(facts, look)

/** Returns the text of `days/2026-11-17.html`. */
export const day = (facts: Day, look: Look): string => DayPage.of(facts, look)

/** Returns the text of the page of an item in `items/`. */
export const item = (facts: Story, look: Look): string => ItemPage.of(facts, look)

/** Returns the text of the page in `items/` of an id that the books do not know, although a page of it was written before. */
export const unknownItem = (id: string, look: Look): string => ItemPage.ofUnknown(id, look)

const STYLE_BEGINNING = "/* tallystick site */\n"

/** The file of styles that all pages name, beside the index. */
export const style: { readonly name: string; readonly text: string } = {
  name: Frame.STYLE,
  text: `${STYLE_BEGINNING}${Style.style}`
}

/** Tells whether a text begins as the pages and the styles of a site do, so that it may be replaced by one. */
export const isOurs = (text: string): boolean => text.startsWith(Frame.BEGINNING) || text.startsWith(STYLE_BEGINNING)

/** What a folder of pages remembers: of which archive they tell, what they were made of, and what of the archive was read for them. */
import type * as BookSite from "@tallystick/report/BookSite"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { VERSION } from "../text/Version.ts"

/** Its name in the folder. */
export const NAME = "tallystick-site.json"

/** SHA-256 of what a page is made of, and of its text. */
const Page = Schema.Struct({ of: Schema.String, text: Schema.String })
export type Page = typeof Page.Type

const State = Schema.Struct({
  format: Schema.Literal("tallystick-site"),
  version: Schema.Literal(3),
  program: Schema.Literal(VERSION),
  /** SHA-256 of the archive's place: whoever serves the folder does not tell where that is. */
  archive: Schema.String,
  /** SHA-256 of what all pages have in common: title, zone, style. */
  look: Schema.String,
  /** SHA-256 of how far the archive went of which the pages tell. */
  reached: Schema.String,
  /** The id of the last execution of which the pages tell, which stands for all before it; null where there is none. */
  execution: Schema.NullOr(Schema.String),
  /** So often the books were written anew before: what that changed in them may be told by every page. */
  rebuilt: Schema.Int,
  /** By its name. A page counts as long as its file has the text that it was given: after a run that failed it may be another one. */
  pages: Schema.Record(Schema.String, Page)
})
export type State = typeof State.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(State))

/** Reads a state; one of another version of the program, or that somebody edited, is none: everything is written anew then. */
export const read = (text: string): Option.Option<State> => decode(text)

/** Tells whether a text is a state, of whatever version and also after an edit, so that it may be replaced by one. */
export const isOurs = (text: string): boolean => text === "" || /"format":\s*"tallystick-site"/.test(text)

export const written = (state: Omit<State, "format" | "program" | "version">): string =>
  `${SafeJson.stringify({ format: "tallystick-site", version: 3, program: VERSION, ...state }, 1)}\n`

export const digest = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 32)

/** The digest of facts that JSON can tell. */
export const digestOf = (facts: unknown): string => digest(SafeJson.stringify(facts))

/** What pages have in common, as far as the user said it. */
export const look = ({ title, zone }: BookSite.Look, style: string): string =>
  digestOf([title ?? null, zone === undefined ? null : DateTime.zoneToString(zone), style])

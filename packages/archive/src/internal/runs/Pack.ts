/**
 * A pack holds outcomes that later runs come to again as they are, many in one row: they share most of their words. Its name
 * is a digest of what they say, so that a pack stands once, however many runs come to all of it.
 */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Option from "effect/Option"
import * as PackedText from "../sql/PackedText.ts"
import * as Content from "./Content.ts"

/** This is a row of `packs`. */
export interface Pack {
  readonly digest: string
  /** These are the ids of the outcomes in their order, eight bytes each: the database looks for the beginning of an id in them. */
  readonly ids: Uint8Array
  /** These are the contents in their order, a line each, deflated. */
  readonly content: Uint8Array
}

export const COLUMNS = ["digest", "ids", "content"] as const

const BYTES = 8

const DIGITS = 2 * BYTES

const isId = (id: string): boolean => id.length === DIGITS && /^[0-9a-f]+$/.test(id)

/**
 * Tells whether an outcome stands in a pack. What is open changes from run to run, and people look for it: it stands in a row
 * of its own, as does a record that could not be read, and an outcome whose id the engine did not make.
 */
export const takes = ({ bad, id, missing, outcome }: Outcome.Outcome): boolean =>
  (outcome === "matched" || outcome === "set-aside") && bad === undefined && missing === undefined && isId(id)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

const digestOf = (ids: Uint8Array, text: string): string => Content.digest(`${hex(ids)}\n${text}`)

/** Makes a pack of outcomes that `takes` tells of; there is at least one. */
export const make = (contents: ReadonlyArray<Content.Content>): Pack => {
  const ids = Buffer.from(contents.map(({ id }) => id).join(""), "hex")
  const text = contents.map(({ content }) => content).join("\n")
  return { digest: digestOf(ids, text), ids, content: PackedText.pack(text) }
}

/** Tells how many outcomes a pack holds. */
export const count = ({ ids }: Pick<Pack, "ids">): number => ids.length / BYTES

/** Gives the contents in their order; none where the pack is not as it was written. */
export const open = ({ content, digest, ids }: Pack): Option.Option<ReadonlyArray<string>> =>
  PackedText.unpack(content).pipe(
    Option.filter((text) => digestOf(ids, text) === digest),
    Option.map((text) => text.split("\n"))
  )

export const isSound = (pack: Pack): boolean => Option.isSome(open(pack))

/** Gives the ids in their order. */
export const idsOf = ({ ids }: Pick<Pack, "ids">): ReadonlyArray<string> => hex(ids).match(/.{16}/g) ?? []

/** Gives the whole bytes with which ids begin that begin with so many digits; the last digit may be half a byte. */
export const beginning = (prefix: string): Uint8Array =>
  Buffer.from(prefix.slice(0, prefix.length - prefix.length % 2), "hex")

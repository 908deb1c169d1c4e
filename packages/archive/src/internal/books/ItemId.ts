/** Items without entries are named by what they are, so that every execution gives them the same id. */
import type * as BadRecord from "@tallystick/core/BadRecord"
import type * as Coverage from "@tallystick/core/Coverage"
import { createHash } from "node:crypto"

/** Their ids begin with `u` and go on with so many digits of a hash; those of items of entries begin with `i`. */
const DIGITS = 16

const of = (parts: ReadonlyArray<string | number>): string =>
  `u${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, DIGITS)}`

/** Names a record that could not be read; `ordinal` tells which one of several of the same text it is, from 0 on. */
export const ofBadRecord = ({ raw, side }: Pick<BadRecord.BadRecord, "raw" | "side">, ordinal: number): string =>
  of(["bad-record", side, raw, ordinal])

/** Names time that was not read by where it begins: it is the same gap while it grows, and while it is read from its end on. */
export const ofGap = (operation: Coverage.Coverage["operation"], from: number): string => of(["gap", operation, from])

/** A checksum over the values of a row: damage and edits by hand show, intent does not. */
import { crc32 } from "node:zlib"

/** A value of a column. */
export type Value = string | number | null

/** Stored text has no NUL, so that values cannot run into each other. */
const BETWEEN = "\0"

/** CRC-32 of the values in their order. */
export const of = (values: ReadonlyArray<unknown>): number => crc32(values.join(BETWEEN))

/** Whether a row of which `checksum` is the last column holds what was written. */
export const holds = (row: object): boolean => {
  const values: Array<unknown> = Object.values(row)
  const checksum = values.pop()
  return of(values) === checksum
}

/** The identity of a file behind all its names: links lead to it, and a file system may ignore case. */
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"

/** The name of a file that means stdin. */
export const STDIN = "-"

/** The number of links that are followed before they are taken for a circle. */
const LINKS = 40

const answer = <A>(call: () => A): A | undefined => Option.getOrUndefined(Result.getSuccess(Result.try(call)))

const numbers = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`

/** A terminal, a pipe or a device holds nothing that could be replaced. */
const ofRegular = (stat: BigIntStats): string | undefined => stat.isFile() ? numbers(stat) : undefined

/** Of the file that stdin (0) or stdout (1) was redirected to. */
export const ofStream = (descriptor: 0 | 1): string | undefined => {
  const stat = answer(() => fstatSync(descriptor, { bigint: true }))
  return stat === undefined ? undefined : ofRegular(stat)
}

/**
 * Two names of one file give the same text: its device and inode, or for a file that is yet to be made those of its folder,
 * and its name. Undefined for what is no regular file.
 */
export const of = (path: string, links = 0): string | undefined => {
  if (path === STDIN) return ofStream(0)
  const stat = answer(() => statSync(path, { bigint: true }))
  if (stat !== undefined) return ofRegular(stat)
  const target = answer(() => readlinkSync(path))
  if (target !== undefined) return links === LINKS ? undefined : of(resolve(dirname(path), target), links + 1)
  const folder = answer(() => statSync(dirname(path), { bigint: true }))
  return join(folder === undefined ? resolve(dirname(path)) : numbers(folder), basename(path))
}

/** The device and inode at a path, links followed. Undefined where nothing is there. */
export const there = (path: string): string | undefined => {
  const stat = answer(() => statSync(path, { bigint: true }))
  return stat === undefined ? undefined : numbers(stat)
}

/** The path that links lead to; the path itself where nothing is there yet. */
export const real = (path: string): string => answer(() => realpathSync(path)) ?? path

/** How a file of SQLite begins, and where its header names the program that it belongs to: `Taly` in an archive. */
const SQLITE = "SQLite format 3\0"
const PROGRAM = 68
const OURS = "Taly"

const beginning = (path: string, length: number): string | undefined =>
  answer(() => {
    const descriptor = openSync(path, "r")
    try {
      const bytes = Buffer.alloc(length)
      return bytes.toString("latin1", 0, readSync(descriptor, bytes, 0, length, 0))
    } finally {
      closeSync(descriptor)
    }
  })

/** Whether an archive of Tallystick, or a backup of one, is there. */
export const isArchive = (path: string): boolean => {
  // Opening a pipe would wait for its writer.
  if (answer(() => statSync(path).isFile()) !== true) return false
  const header = beginning(path, PROGRAM + OURS.length)
  return header !== undefined && header.startsWith(SQLITE) && header.endsWith(OURS) &&
    header.length === PROGRAM + OURS.length
}

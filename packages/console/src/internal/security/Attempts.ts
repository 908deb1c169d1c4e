/** Logins of one address: after a few that failed it waits, longer each time. Nobody else waits for it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** So many may fail one after another before an address waits. */
const FREE = 5

/** An address waits so long at most, ms. */
const LONGEST = 300_000

/** An address that did nothing for so long is forgotten, ms. */
const FORGOTTEN = 3_600_000

/** So many addresses are remembered at most; then the one that was seen least lately is forgotten. */
const REMEMBERED = 10_000

interface Told {
  readonly failed: number
  readonly until: number
  readonly at: number
}

export interface Attempts {
  /** Counts a login as failed before it is tried, so that many at once are many; gives the seconds to wait where it may not be tried. */
  readonly begin: (address: string) => Effect.Effect<Option.Option<number>>
  /** Forgets what failed from an address. */
  readonly succeeded: (address: string) => Effect.Effect<void>
}

/** Gives the part of an address that one subscriber has: all of IPv4, and the first 64 bits of IPv6. */
export const subscriber = (address: string): string => {
  const plain = address.toLowerCase().replace(/%.*$/, "")
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!plain.includes(":")) return plain
  const [head = "", tail] = plain.split("::")
  const before = head === "" ? [] : head.split(":")
  const behind = tail === undefined || tail === "" ? [] : tail.split(":")
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - behind.length)
  return [...before, ...Array.from({ length: zeros }, () => "0"), ...behind].slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, "")).join(":")
}

export const make = (): Attempts => {
  const seen = new Map<string, Told>()
  const keep = (address: string, told: Told): void => {
    seen.delete(address)
    seen.set(address, told)
    const [oldest] = seen.keys()
    if (seen.size > REMEMBERED && oldest !== undefined) seen.delete(oldest)
  }
  return {
    begin: Effect.fnUntraced(function*(address) {
      const now = yield* Clock.currentTimeMillis
      const known = seen.get(address)
      const before = known === undefined || now - known.at > FORGOTTEN ? { failed: 0, until: 0 } : known
      if (before.until > now) return Option.some(Math.ceil((before.until - now) / 1000))
      const failed = before.failed + 1
      const wait = failed < FREE ? 0 : Math.min(LONGEST, 1000 * 2 ** Math.min(failed - FREE, 20))
      keep(address, { failed, until: now + wait, at: now })
      return Option.none()
    }),
    succeeded: (address) => Effect.sync(() => void seen.delete(address))
  }
}

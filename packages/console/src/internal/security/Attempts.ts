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
  /** Gives the seconds that an address has to wait before it may try a login; nothing where it may try now. */
  readonly wait: (address: string) => Effect.Effect<Option.Option<number>>
  /** So many more may fail before an address waits; 1 at least. */
  readonly left: (address: string) => Effect.Effect<number>
  /** Counts a login that failed. */
  readonly failed: (address: string) => Effect.Effect<void>
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
  const known = (address: string, now: number): Pick<Told, "failed" | "until"> => {
    const told = seen.get(address)
    return told === undefined || now - told.at > FORGOTTEN ? { failed: 0, until: 0 } : told
  }
  return {
    wait: (address) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const { until } = known(address, now)
        return until > now ? Option.some(Math.ceil((until - now) / 1000)) : Option.none()
      }),
    left: (address) => Effect.map(Clock.currentTimeMillis, (now) => Math.max(1, FREE - known(address, now).failed)),
    failed: (address) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const failed = known(address, now).failed + 1
        const wait = failed < FREE ? 0 : Math.min(LONGEST, 1000 * 2 ** Math.min(failed - FREE, 20))
        keep(address, { failed, until: now + wait, at: now })
      }),
    succeeded: (address) => Effect.sync(() => void seen.delete(address))
  }
}

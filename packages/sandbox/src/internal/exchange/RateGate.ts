/** Keeps the rate limit as a sliding log. It answers 429 beyond the limit, and 418 to clients that do not wait. */
import type * as Rules from "../../Rules.ts"
import { type Answer, refuse } from "./Answer.ts"

export interface RateGate {
  /** Lets a request through, or returns its refusal. */
  readonly admit: (now: number) => Answer | undefined
  /** Bans all clients for some seconds, whatever the rate. With `untold` the answers have no Retry-After. */
  readonly ban: (now: number, seconds: number, untold?: boolean) => void
}

const secondsUntil = (until: number, now: number): string => String(Math.max(1, Math.ceil((until - now) / 1000)))

export const make = (rate: Rules.Rate | null): RateGate => {
  let admitted: Array<number> = []
  let waitUntil = Number.NEGATIVE_INFINITY
  let bannedUntil = Number.NEGATIVE_INFINITY
  let tellsEnd = true
  let ignored = 0

  const ban = (now: number, seconds: number, untold = false) => {
    bannedUntil = now + seconds * 1000
    tellsEnd = !untold
    ignored = 0
  }

  const banned = (now: number) =>
    refuse(
      418,
      418,
      "Way too many requests; banned until Retry-After has passed.",
      tellsEnd ? { "retry-after": secondsUntil(bannedUntil, now) } : {}
    )

  const tooMany = (now: number) =>
    refuse(429, 429, "Too many requests; retry after Retry-After.", { "retry-after": secondsUntil(waitUntil, now) })

  const admit = (now: number): Answer | undefined => {
    if (now < bannedUntil) return banned(now)
    if (rate === null) return undefined
    if (now < waitUntil) {
      ignored += 1
      if (ignored <= rate.patience) return tooMany(now)
      ban(now, rate.ban)
      return banned(now)
    }
    admitted = admitted.filter((at) => at > now - rate.window)
    const [oldest] = admitted
    if (oldest !== undefined && admitted.length >= rate.limit) {
      const free = oldest + rate.window - now
      waitUntil = now + Math.max(1, Math.ceil(free / 1000)) * 1000
      return tooMany(now)
    }
    ignored = 0
    admitted.push(now)
    return undefined
  }

  return { admit, ban }
}

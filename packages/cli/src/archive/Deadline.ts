/** How a command ends where the service forgets deposits that were never read, or soon will. */
import * as Effect from "effect/Effect"
import * as Failure from "../Failure.ts"
import type { Flags } from "../flags/WarnHoursFlag.ts"
import * as Stderr from "../terminal/Stderr.ts"
import type { ZonedTimes } from "../text/ZonedTimes.ts"
import * as SyncText from "./SyncText.ts"

const HOUR = 3_600_000

/** Both in Unix ms. */
interface Moments {
  readonly deadline: number
  readonly now: number
}

/** `lost`: the service has begun to forget; `close`: it will in less than the hours of the flag. */
export type Urgency = "calm" | "close" | "lost"

export const urgency = ({ deadline, now }: Moments, { warnHours }: Flags): Urgency => {
  if (deadline <= now) return "lost"
  return deadline - now < warnHours * HOUR ? "close" : "calm"
}

/** Says how long is left, as the end of a command that did everything else well. */
export const end = Effect.fnUntraced(function*(moments: Moments, flags: Flags, times: ZonedTimes) {
  const told = SyncText.deadline(moments.deadline, moments.now, times)
  const found = urgency(moments, flags)
  if (found === "lost") return yield* Failure.unfinished(told)
  return found === "close"
    ? yield* Failure.notClean(`${told}; let tallystick sync run before that`)
    : yield* Stderr.tell(told)
})

/** `--warn-hours HOURS`: how little time may be left before the service forgets something unread. */
import * as Flag from "effect/cli/Flag"
import * as Schema from "effect/Schema"
import * as Fallback from "./Fallback.ts"

/** With less time left than this, the next sync had better not fail, in hours. */
const USUAL = 24

const of = (description: string) =>
  Flag.Int("warn-hours").pipe(
    Flag.withMetavar("HOURS"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))),
    Flag.withDescription(description),
    Fallback.value(USUAL)
  )

export const flag = of(
  "Exit with 1 when the service forgets something unread in less than so many hours; 0: only when it does already, with 3"
)

/** The flag of `cluster runner`, which does not end by it. */
export const ofRunner = of(
  "With --sync: complain, and send a notice, when the service forgets something unread in less than so many hours; 0: only when it " +
    "does already"
)

export interface Flags {
  readonly warnHours: number
}

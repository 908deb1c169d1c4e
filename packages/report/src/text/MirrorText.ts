/** Puts the measure of chance in one sentence. */
import type * as Mirror from "@tallystick/reconcile/Mirror"
import * as Text from "./Text.ts"
import * as Times from "./Times.ts"

const found = ({ groups, pairs }: Mirror.Mirror): string =>
  pairs + groups === 0
    ? "no pair"
    : [
      ...(pairs > 0 || groups === 0 ? [Text.counted(pairs, "pair")] : []),
      ...(groups > 0 ? [Text.counted(groups, "group")] : [])
    ].join(" and ")

/** Returns the sentence. It gives a count, which is no estimate of how many stated pairs are wrong. */
export const sentence = (mirror: Mirror.Mirror): string => {
  const shift = Times.duration(mirror.shift)
  return mirror.deposits === 0
    ? `Not measured; for that, transfers must have been read from ${shift} before the windows of the deposits on.`
    : `In a window as wide, ${shift} earlier, where no true pair can lie, the policy states ${found(mirror)} ` +
      `for ${Text.counted(mirror.deposits, "deposit")}.`
}

/** Computes the server's clock, which may be wrong and may run at another speed than the machine's. */
import type * as Faults from "../../Faults.ts"

const HOUR = 3_600_000

/** Returns Unix ms by the server's clock. `start` and `millis` are the machine's times of the beginning and of now. */
export const at = ({ clock }: Faults.Faults, start: number, millis: number): number =>
  millis + (clock?.offset ?? 0) + Math.round((clock?.drift ?? 0) * (millis - start) / HOUR)

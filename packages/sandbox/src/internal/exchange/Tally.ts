/** Counts requests by operation. */
import type * as BrokerError from "@tallystick/core/BrokerError"

export interface Tally {
  readonly count: (operation: BrokerError.Operation | undefined) => void
  /** Returns the number of requests of these operations so far, or of all paths when none are named. */
  readonly of: (operations: ReadonlyArray<BrokerError.Operation> | undefined) => number
}

export const make = (): Tally => {
  const counts = new Map<BrokerError.Operation | undefined, number>()
  let all = 0
  return {
    count: (operation) => {
      counts.set(operation, (counts.get(operation) ?? 0) + 1)
      all += 1
    },
    of: (operations) =>
      operations === undefined
        ? all
        : Array.from(new Set(operations)).reduce((sum, operation) => sum + (counts.get(operation) ?? 0), 0)
  }
}

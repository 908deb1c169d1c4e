/** The number of steps that a search may still take. It is counted in the same way on every machine. */
export interface Budget {
  /** Takes steps from the rest, and returns false when there are not enough. */
  readonly spend: (steps: number) => boolean
  readonly spent: () => number
}

export const make = (steps: number): Budget => {
  let left = steps
  return {
    spend: (wanted) => {
      if (wanted > left) {
        left = 0
        return false
      }
      left -= wanted
      return true
    },
    spent: () => steps - left
  }
}

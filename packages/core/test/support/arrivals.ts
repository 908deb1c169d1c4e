/** The most arrivals that any window of `length` ms holds, both ends included. */
export const busiest = (arrivals: ReadonlyArray<number>, length: number): number => {
  const sorted = arrivals.toSorted((a, b) => a - b)
  let most = 0
  for (let start = 0, end = 0; end < sorted.length; end++) {
    while (sorted[end]! - sorted[start]! > length) start++
    most = Math.max(most, end - start + 1)
  }
  return most
}

/** Writes lengths of time as a policy does. */

const units = [[86_400_000, "day"], [3_600_000, "hour"], [60_000, "minute"], [1000, "second"]] as const

/** Writes `1 hour`, in the largest unit that needs no fraction. Below a second it uses milliseconds. */
export const text = (ms: number): string => {
  const [size, name] = units.find(([size]) => ms !== 0 && ms % size === 0) ?? [1, "milli"]
  return `${ms / size} ${name}${Math.abs(ms / size) === 1 ? "" : "s"}`
}

/** Days (UTC), into which an archive divides time. */

/** Milliseconds. */
export const DAY = 86_400_000

/** The beginning of the day of a time, Unix ms. */
export const dayOf = (time: number): number => Math.floor(time / DAY) * DAY

/** The end of the day of a time, Unix ms. */
export const endOf = (time: number): number => dayOf(time) + DAY

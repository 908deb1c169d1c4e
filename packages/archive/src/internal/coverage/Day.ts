/** An archive divides time into days (UTC). */

/** A day has so many milliseconds. */
export const DAY = 86_400_000

/** Gives the beginning of the day of a time, Unix ms. */
export const dayOf = (time: number): number => Math.floor(time / DAY) * DAY

/** Gives the end of the day of a time, Unix ms. */
export const endOf = (time: number): number => dayOf(time) + DAY

/** The beginning of a foreign text, for a message: a line of a file may be hundreds of megabytes long. */

/** The most UTF-16 units that a message repeats. */
const LONGEST = 200

export const of = (text: string): string => text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`

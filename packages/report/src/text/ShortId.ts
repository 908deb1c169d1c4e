/** Shortens long ids in the middle: both ends tell them apart, and commands find an entry by them. */

/** Longer ids are shortened. */
const LONG = 24

/** Returns the id as people read it: `40f67cef…g25x8z77`. */
export const of = (id: string): string => {
  const characters = Array.from(id)
  return characters.length > LONG ? `${characters.slice(0, 8).join("")}…${characters.slice(-8).join("")}` : id
}

/** The name of a person is compared as a reader sees it: nobody approves what they proposed under another spelling of their name. */

/**
 * These are a gap in one font and nothing in another: fillers of Hangul and Khitan, a separator of Mongolian, blanks of Braille, music and
 * hieroglyphs, and the place of an object that is not there.
 */
const FILLER = /[\u{16FE4}\u115F\u1160\u180E\u2800\u3164\uFFA0\uFFFC\u{13441}\u{13442}\u{1D159}]/u

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u

/** Tells whether a name has a character that does not show, or that shows as a gap although it is no space. */
export const hidesSomething = (name: string): boolean => HIDDEN.test(name) || FILLER.test(name)

/** Leaves out of a name what does not show, and how it is written: large or small, wide or narrow letters, with which spaces. */
const folded = (name: string): string =>
  Array.from(name.normalize("NFKC").replaceAll(/\p{White_Space}/gu, " "))
    .filter((letter) => !hidesSomething(letter)).join("")
    .toUpperCase().toLowerCase().normalize("NFKC").trim().replaceAll(/ +/g, " ")

/**
 * Tells whether two names are those of one person: `clerk` and `Clerk ` are. Where one of them has a character that is a gap in one font
 * and nothing in another, gaps do not tell them apart.
 */
export const isSame = (one: string, other: string): boolean => {
  const [a, b] = [folded(one), folded(other)]
  return a === b || (FILLER.test(one + other) && a.replaceAll(" ", "") === b.replaceAll(" ", ""))
}

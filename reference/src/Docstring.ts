/** Reads the docstring with which a file begins. */

/** Returns the text of the docstring with which a file begins, or nothing. */
export const ofFile = (source: string): string => {
  const [, comment = ""] = /^\/\*\*(.*?)\*\//s.exec(source) ?? []
  return comment.replaceAll(/^\s*\*?[ \t]?/gm, "").trim()
}

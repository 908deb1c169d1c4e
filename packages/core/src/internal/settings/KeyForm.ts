/** Says which texts a key and its secret may be. */

export interface Form {
  readonly allowed: string
  readonly isValid: (text: string) => boolean
}

/** The key goes into a header, which may hold no other characters. */
export const apiKey: Form = { allowed: "visible ASCII characters", isValid: (text) => /^[\x21-\x7e]+$/.test(text) }

/** A line break of its file would sign with another secret. */
export const secretKey: Form = {
  allowed: "one line of text that is not empty, without white space around it",
  isValid: (text) => text !== "" && text === text.trim() && !/[\r\n]/.test(text)
}

/** Brings the spellings of account types to one. */

/** Returns the one spelling of an account type: `FUTURE` becomes `FUTURES`, and every other text is a type of its own. */
export const canonical = (type: string): string => (type === "FUTURE" ? "FUTURES" : type)

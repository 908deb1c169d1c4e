/** Account types, which the service spells in more than one way. */

/** The one spelling of an account type: `FUTURE` and `FUTURES` are the same; every other text is a type of its own. */
export const canonical = (type: string): string => (type === "FUTURE" ? "FUTURES" : type)

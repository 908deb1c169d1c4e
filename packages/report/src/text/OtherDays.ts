/** The words for what lies outside of the range of a report, and stands in it because it belongs with something inside. */

/** Follows one entry, or one outcome. */
export const ONE = "of another day"

/** Follows several, and heads what is said of them. */
export const SEVERAL = "of other days"

/** How the bytes of an answer go out, where they do not go out at once and whole. */

export type Manner =
  | { readonly _tag: "Whole" }
  /** No byte goes out; the connection is reset. */
  | { readonly _tag: "Nothing" }
  /** Status, headers and so many bytes of the body go out; then the connection is reset. */
  | { readonly _tag: "Part"; readonly bytes: number }
  /** Everything goes out; then the connection is reset, which a client sees who wants to use it again. */
  | { readonly _tag: "ResetBehind" }
  /** So many bytes at a time, with `every` ms between. */
  | { readonly _tag: "Drip"; readonly bytes: number; readonly every: number }
  /** Behind the body comes the filler, over and over, with `every` ms between; the length is not told. */
  | { readonly _tag: "Endless"; readonly filler: string; readonly every: number }

export interface Delivery {
  /** Milliseconds before anything happens. */
  readonly delay: number
  readonly manner: Manner
}

/** At once, and whole. */
export const plain: Delivery = { delay: 0, manner: { _tag: "Whole" } }

/** Describes how the bytes of an answer go out, where they do not go out at once and whole. */

export type Manner =
  | { readonly _tag: "Whole" }
  /** No byte goes out; the connection is reset. */
  | { readonly _tag: "Nothing" }
  /** Status, headers and so many bytes of the body go out; then the connection is reset. */
  | { readonly _tag: "Part"; readonly bytes: number }
  /** Everything goes out; then the connection is reset. A client notices that when it uses the connection again. */
  | { readonly _tag: "ResetBehind" }
  /** The body goes out so many bytes at a time, with `every` ms between. */
  | { readonly _tag: "Drip"; readonly bytes: number; readonly every: number }
  /** After the body comes the filler, over and over, with `every` ms between; no length is told. */
  | { readonly _tag: "Endless"; readonly filler: string; readonly every: number }

/** When the bytes of an answer go out, and how. */
export interface Delivery {
  /** Milliseconds before anything happens. */
  readonly delay: number
  /** How the bytes go out, after `delay`. */
  readonly manner: Manner
}

/** The whole answer goes out at once. */
export const plain: Delivery = { delay: 0, manner: { _tag: "Whole" } }

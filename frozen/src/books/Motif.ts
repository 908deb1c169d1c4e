/** A motif: something that happened, written into a book as the entries that tell of it. */
import type { Draft } from "./Draft.ts"

export type Motif = (draft: Draft) => void

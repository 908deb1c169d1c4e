/** Every kind, in the order in which they are compared. */
import type * as Kind from "../Kind.ts"
import { exchange } from "./Exchange.ts"
import { generated } from "./Generated.ts"
import { kept } from "./Kept.ts"
import { outside, samples } from "./Shipped.ts"

export const all: ReadonlyArray<Kind.Kind> = [...generated, samples, outside, exchange, kept]

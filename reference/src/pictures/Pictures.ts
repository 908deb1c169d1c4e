/** The pictures of docs/how-matching-works.md and docs/outcomes. */
import type { Generated } from "../Generated.ts"
import { ambiguity } from "./Ambiguity.ts"
import { assignment } from "./Assignment.ts"
import { coverage } from "./Coverage.ts"
import { groups } from "./Groups.ts"
import { order } from "./Steps.ts"
import { window } from "./Window.ts"

export const files: ReadonlyArray<Generated> = Object.entries({
  window,
  steps: order,
  assignment,
  ambiguity,
  groups,
  coverage
})
  .map(([name, text]) => ({ path: `docs/pictures/${name}.svg`, text }))

/** Everything that is generated. */
import * as Effect from "effect/Effect"
import * as CommandPage from "./CommandPage.ts"
import * as ConfigurationPage from "./ConfigurationPage.ts"
import type { Generated } from "./Generated.ts"
import * as PolicyPage from "./PolicyPage.ts"
import * as Schemas from "./Schemas.ts"

export const all: Effect.Effect<ReadonlyArray<Generated>, unknown> = Effect.map(CommandPage.page, (command) => [
  ...Schemas.files,
  PolicyPage.page,
  ConfigurationPage.page,
  command
])

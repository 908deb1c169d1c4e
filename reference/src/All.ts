/** All files that are generated. */
import { document } from "@tallystick/sandbox/SandboxApi"
import * as Effect from "effect/Effect"
import * as CommandPage from "./CommandPage.ts"
import * as ConfigurationPage from "./ConfigurationPage.ts"
import * as Generated from "./Generated.ts"
import * as LlmsText from "./LlmsText.ts"
import * as ModulesPage from "./ModulesPage.ts"
import * as Pictures from "./pictures/Pictures.ts"
import * as PolicyPage from "./PolicyPage.ts"
import * as SchemaIndex from "./SchemaIndex.ts"
import * as Schemas from "./Schemas.ts"

export const all: Effect.Effect<ReadonlyArray<Generated.Generated>, unknown> = Effect.map(
  Effect.all([CommandPage.page, ModulesPage.page, LlmsText.file]),
  ([command, modules, llms]) => [
    ...Schemas.files,
    Generated.json("docs/schema/openapi.json", document),
    SchemaIndex.page,
    ...Pictures.files,
    PolicyPage.page,
    ConfigurationPage.page,
    modules,
    llms,
    command
  ]
)

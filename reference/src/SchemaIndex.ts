/** `docs/schema/README.md`: the JSON Schemas, with what each describes. */
import { document } from "@tallystick/sandbox/SandboxApi"
import * as Generated from "./Generated.ts"
import * as Markdown from "./Markdown.ts"
import { schemas } from "./Schemas.ts"

const link = (name: string): string => `[${name}](${name})`

const described = ({ description }: { readonly description?: unknown }): string =>
  typeof description === "string" ? description : ""

export const page: Generated.Generated = Generated.page("docs/schema/README.md", [
  "# JSON Schemas",
  "Editors and programs in other languages can check files with these schemas (JSON Schema 2020-12). `openapi.json` is an OpenAPI description.",
  Markdown.table(["file", "what it describes"], [
    ...Object.entries(schemas).map(([name, schema]) => [link(`${name}.schema.json`), described(schema)]),
    [link("openapi.json"), described(document.info)]
  ])
])

import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const text = (relative: string): string => readFileSync(fileURLToPath(new URL(relative, import.meta.url)), "utf8")

it("docs/observability.md shows the example observe, to the letter", () => {
  assert.include(text("../../docs/observability.md"), `\`\`\`ts\n${text("../src/observe.ts")}\`\`\``)
})

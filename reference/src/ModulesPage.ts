/** `docs/reference/modules.md`: every public module of the packages, in its own words. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import * as Docstring from "./Docstring.ts"
import * as Generated from "./Generated.ts"
import * as Markdown from "./Markdown.ts"

const packages = ["core", "reconcile", "archive", "report", "sandbox"] as const

/** Returns the first sentence of the docstring with which a file begins. */
const meaning = (source: string): string => {
  const [paragraph = ""] = Docstring.ofFile(source).split("\n\n")
  const text = paragraph.replaceAll(/\s+/g, " ").trim()
  return /^.*?[.:](?= [A-Z]|$)/.exec(text)?.[0] ?? text
}

const section = Effect.fnUntraced(function*(name: typeof packages[number]) {
  const fileSystem = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const folder = yield* paths.fromFileUrl(new URL(`../../packages/${name}/src`, import.meta.url))
  const files = (yield* fileSystem.readDirectory(folder)).filter((file) => file.endsWith(".ts") && file !== "index.ts")
  const rows = yield* Effect.forEach(
    files.toSorted((left, right) => (left < right ? -1 : 1)),
    (file) =>
      Effect.map(
        fileSystem.readFileString(paths.join(folder, file)),
        (source) => [Markdown.code(file.replace(/\.ts$/, "")), meaning(source)]
      )
  )
  return [`## \`@tallystick/${name}\``, Markdown.table(["Module", "What it is"], rows)]
})

export const page: Effect.Effect<Generated.Generated, unknown> = Effect.forEach(packages, section).pipe(
  Effect.map((sections) =>
    Generated.page("docs/reference/modules.md", [
      "# Modules",
      "These modules are public. Import each by its path (`@tallystick/core/Broker`), which bundles smaller than the whole package. " +
      "[embed.md](../embed.md) and [compose.md](../compose.md) show those that most programs need; the others serve sources, " +
      "renderers and archives of your own. `npx --yes pnpm@12 site` builds the reference of all their names.",
      ...sections.flat()
    ])
  ),
  Effect.provide(NodeServices.layer)
)

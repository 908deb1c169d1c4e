/**
 * The published command: a file that looks at Node, one that knows the subcommands by name, and chunks that are loaded where
 * they are needed. What it consists of is bundled, so that it starts fast and installs nothing else; the licences of that
 * stand beside it.
 */
import * as Undici from "@effect/platform-node/Undici"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown"
import type { Dependency, Options } from "rollup-plugin-license"

/** Its types speak of a default export that it does not have. */
const license: (options: Options) => Plugin = createRequire(import.meta.url)("rollup-plugin-license")

const inThisPackage = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const notice = ({ author, licenseText, name, noticeText, repository, version, license }: Dependency): string =>
  [
    `${name} ${version}, ${license}`,
    typeof repository === "string" ? repository : repository?.url,
    author?.text(),
    licenseText,
    noticeText
  ].filter((part) => part !== undefined && part !== null && part !== "").join("\n\n")

/** A chunk that is `export * from` a CommonJS package would be left with its default export alone. */
const namedExportsOfUndici: Plugin = {
  name: "named exports of undici",
  load: {
    filter: { id: /@effect\/platform-node\/dist\/Undici\.js$/ },
    handler: () =>
      `import Undici from "undici"
      export const { ${
        Object.keys(Undici).filter((name) => /^\w+$/.test(name) && name !== "default").join(", ")
      } } = Undici
      export default Undici`
  }
}

const segmenter =
  /const graphemeSegmenter = \/\*#__PURE__\*\/new Intl\.Segmenter\(undefined, \{\s+granularity: "grapheme"\s+\}\);/
const measuring = "export const displayWidth = text => {\n"

/**
 * Effect makes an `Intl.Segmenter` where it lays out help, whether a text needs it or not: 12 ms, half as long as Node itself
 * takes to start. Printable ASCII is as wide as it is long.
 */
const segmenterWhereNeeded: Plugin = {
  name: "a segmenter where it is needed",
  transform: {
    filter: { id: /effect\/dist\/cli\/CliOutput\.js$/ },
    handler: (code) => {
      if (!segmenter.test(code) || !code.includes(measuring)) throw new Error("effect measures text in another way now")
      return code
        .replace(segmenter, "let graphemeSegmenter;")
        .replace(
          measuring,
          `${measuring}
          if (/^[\\x20-\\x7e]*$/.test(text)) return text.length;
          graphemeSegmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });\n`
        )
    }
  }
}

const isForeign = (id: string): boolean => id.includes("/node_modules/") || id.startsWith("\0")

/** The maps of what is none of ours are most of the package, and show a user nothing that he looks for. */
const mapsOfOurOwn: Plugin = {
  name: "maps of our own",
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk" || !chunk.moduleIds.every(isForeign)) continue
      delete bundle[`${chunk.fileName}.map`]
      chunk.code = chunk.code.replace(/\/\/# sourceMappingURL=.*\s*$/, "")
    }
  }
}

/** The command without the licences. */
export const command = {
  cwd: inThisPackage("."),
  input: {
    main: "src/main.ts",
    // A thread has an entry of its own, beside the chunk that starts it.
    "chunks/PartThread": "../archive/src/internal/parts/PartThread.ts",
    "chunks/BookThread": "../cluster/src/internal/thread/BookThread.ts",
    "chunks/internal/watchdog/WatchThread": "../cluster/src/internal/watchdog/WatchThread.ts"
  },
  platform: "node",
  output: {
    dir: "dist/bundle",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: true,
    sourcemap: true
  },
  plugins: [namedExportsOfUndici, segmenterWhereNeeded, mapsOfOurOwn]
} satisfies RolldownOptions

export default defineConfig({
  ...command,
  plugins: [
    ...command.plugins,
    license({
      cwd: inThisPackage("."),
      thirdParty: {
        allow: { test: "(MIT OR ISC OR Apache-2.0 OR BSD-3-Clause)", failOnUnlicensed: true, failOnViolation: true },
        output: {
          file: inThisPackage("dist/THIRD-PARTY.txt"),
          template: (dependencies) =>
            [
              ...dependencies.filter(({ name }) => name?.startsWith("@tallystick/") === false).map(notice),
              // Effect has it as a text, for the documentation that a sandbox shows.
              readFileSync(inThisPackage("licences/swagger-ui.txt"), "utf8")
            ].join(`\n\n${"-".repeat(80)}\n\n`)
        }
      }
    })
  ]
})

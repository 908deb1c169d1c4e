/**
 * The published command: one file that knows the subcommands by name, and chunks that are loaded where they are needed. What
 * it consists of is bundled, so that it starts fast and installs nothing else; the licences of that stand beside it.
 */
import { fileURLToPath } from "node:url"
import { defineConfig } from "rolldown"
import license, { type Dependency } from "rollup-plugin-license"

const inThisPackage = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const notice = ({ author, licenseText, name, noticeText, repository, version, license }: Dependency): string =>
  [
    `${name} ${version}, ${license}`,
    typeof repository === "string" ? repository : repository?.url,
    author?.text(),
    licenseText,
    noticeText
  ].filter((part) => part !== undefined && part !== null && part !== "").join("\n\n")

export default defineConfig({
  cwd: inThisPackage("."),
  input: { main: "src/main.ts" },
  platform: "node",
  output: {
    dir: "dist/bundle",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: true,
    sourcemap: true
  },
  plugins: [
    license({
      cwd: inThisPackage("."),
      thirdParty: {
        allow: { test: "(MIT OR ISC OR Apache-2.0 OR BSD-3-Clause)", failOnUnlicensed: true, failOnViolation: true },
        output: {
          file: inThisPackage("dist/THIRD-PARTY.txt"),
          template: (dependencies) =>
            dependencies.filter(({ name }) => name?.startsWith("@tallystick/") === false).map(notice).join(
              `\n\n${"-".repeat(80)}\n\n`
            )
        }
      }
    })
  ]
})

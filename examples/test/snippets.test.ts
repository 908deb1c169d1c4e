/** What the documents show is what type-checks and runs. */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Decision from "@tallystick/archive/Decision"
import * as Notice from "@tallystick/archive/Notice"
import * as ConfigFile from "@tallystick/cli/config/ConfigFile"
import * as SettingFile from "@tallystick/cli/files/SettingFile"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import * as Accounts from "@tallystick/reconcile/Accounts"
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Prices from "@tallystick/report/Prices"
import * as Faults from "@tallystick/sandbox/Faults"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import * as Documents from "./support/Documents.ts"

/** A file of this repository, from wherever it is read. */
const REPOSITORY = "https://github.com/example/tallystick/blob/main/"

/** `<!-- examples/src/embed.ts -->`, or `…#part` for what stands between `// #region part` and `// #endregion`. */
const shown = /^<!-- (\S+?\.ts)(?:#(\S+))? -->\n+```ts\n[^]*?^```$/gm

const dedent = (code: string): string => {
  const lines = code.split("\n")
  const depth = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(depth)).join("\n")
}

/** What a document should show of a file. */
const source = (file: string, region: string | undefined): string => {
  const whole = readFileSync(Documents.path(file), "utf8")
  if (region === undefined) return whole.replaceAll(/^ *\/\/ #(?:end)?region.*\n/gm, "")
  const [, after] = whole.split(new RegExp(`^ *// #region ${region}\n`, "m"))
  assert(after !== undefined, `${file} has no region ${region}`)
  return dedent(after.split(/^ *\/\/ #endregion\n/m)[0] ?? "")
}

/** The text of a document with every snippet as its file has it. */
const renewed = (document: string): string =>
  Documents.text(document).replaceAll(
    shown,
    (_, file: string, region?: string) =>
      `<!-- ${file}${region === undefined ? "" : `#${region}`} -->\n\n\`\`\`ts\n${source(file, region)}\`\`\``
  )

describe("every document", () => {
  it.each(Documents.names)("%s shows its programs to the letter (vitest -u writes them)", async (document) => {
    const marked = Array.from(Documents.text(document).matchAll(shown))
    assert.strictEqual(
      Documents.blocks(document).filter(({ language }) => language === "ts").length,
      marked.length,
      "a block of ts without a comment that names its file"
    )
    for (const [, file = ""] of marked) assert.match(file, /^(?:examples|packages)\/(?:[\w.-]+\/)*[\w.-]+\.ts$/)
    await expect(renewed(document)).toMatchFileSnapshot(Documents.path(document))
  })

  it.each(Documents.names)("%s links to what is there", (document) => {
    const slug = (heading: string): string =>
      heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-")
    const anchors = (file: string): ReadonlyArray<string> =>
      Array.from(readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm), ([, heading = ""]) => slug(heading))
    const text = Documents.text(document).replaceAll(/```[^]*?^ *```$/gm, "")
    for (const [, link = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const isOurs = link.startsWith(REPOSITORY)
      if (/^\w+:/.test(link) && !isOurs) continue
      const [file = "", anchor] = link.replace(REPOSITORY, "").split("#")
      // What is packed has nothing around it.
      assert.isTrue(isOurs || file === "" || !document.startsWith("packages/"), `${link} leads nowhere in the package`)
      const from = isOurs ? Documents.path(".") : dirname(Documents.path(document))
      const target = file === "" ? Documents.path(document) : join(from, file)
      assert.isTrue(existsSync(target), `${link} is not there (${relative(Documents.path("."), target)})`)
      if (anchor !== undefined && target.endsWith(".md")) assert.include(anchors(target), anchor, link)
    }
  })
})

it("docs/architecture.md names files that are there", () => {
  const named = Array.from(
    Documents.text("docs/architecture.md").matchAll(/`((?:core|reconcile|archive|sandbox|cli)\/[\w./-]+)`/g),
    ([, file = ""]) => file
  )
  assert.isAbove(named.length, 20)
  for (const file of named) assert.isTrue(existsSync(Documents.path(`packages/${file}`)), file)
})

const strictly = (schema: Schema.ConstraintDecoder<unknown>) => (value: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(value))

/** What a file that a document shows may be. */
const kinds = {
  policy: (value: unknown) => Result.isSuccess(Policy.decode(value)),
  accounts: strictly(Schema.Union([Accounts.Accounts, SettingFile.OfService])),
  addresses: strictly(AddressBook.AddressBook),
  act: strictly(Decision.Act),
  notice: strictly(Notice.Notice),
  faults: (value: unknown) => Result.isSuccess(Faults.decode(value)),
  prices: strictly(Prices.PriceList),
  configuration: (value: unknown) => ConfigFile.read(value).problems.length === 0,
  keys: (value: unknown) =>
    BrokerConfig.load().pipe(
      Effect.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({
        TALLYSTICK_BASE_URL: "https://api.example.com",
        TALLYSTICK_API_KEY: "mx0first",
        TALLYSTICK_SECRET_KEY: "secret",
        TALLYSTICK_API_KEYS: JSON.stringify(value)
      }))),
      Effect.runSyncExit,
      Exit.isSuccess
    ),
  conventions: strictly(Conventions.Conventions.mapFields(Struct.map(Schema.optionalKey)))
}

it.each(
  Documents.allBlocks.filter(({ language }) => language === "json").map((block) => [
    `${block.document}, line ${block.line}`,
    block.code
  ])
)("the JSON of %s is a file that some command reads", (_, code) => {
  const value: unknown = JSON.parse(code)
  assert.isNotEmpty(Object.entries(kinds).filter(([, accepts]) => accepts(value)), code)
})

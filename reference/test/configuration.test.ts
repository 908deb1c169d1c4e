/** The configuration reference against what reads the configuration. */
import { assert, describe, it } from "@effect/vitest"
import * as ArchiveConfig from "@tallystick/archive/ArchiveConfig"
import * as ConfigFile from "@tallystick/cli/config/ConfigFile"
import * as Setting from "@tallystick/cli/config/Setting"
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as Conventions from "@tallystick/core/Conventions"
import { page } from "../src/ConfigurationPage.ts"
import { schemas } from "../src/Schemas.ts"
import * as Validator from "./support/Validator.ts"

const rows = page.text.split("\n").filter((line) => line.startsWith("| `"))

const row = (name: string): string => rows.find((line) => line.startsWith(`| \`${name}\` |`)) ?? ""

const libraries = [...BrokerConfig.variables, ...ArchiveConfig.variables]

describe("the configuration reference", () => {
  it("tells every variable that is read, with its key in the file", () => {
    for (const { form, key, variable } of Setting.settings) {
      assert.notStrictEqual(row(variable), "", variable)
      if (form !== "secret") assert.include(row(variable), `| \`${key}\` |`)
    }
    assert.include(page.text, `\`${Setting.CONFIG}\``)
  })

  it("tells of each setting what the libraries that read it say", () => {
    for (const { default: fallback, meaning, name } of libraries) {
      assert.include(row(name), meaning, name)
      if (fallback !== undefined) assert.include(row(name), `| \`${fallback}\` |`, name)
    }
  })

  it("and the command shows the same defaults", () => {
    for (const { fallback, variable } of Setting.settings) {
      const known = libraries.find(({ name }) => name === variable)
      if (known !== undefined) assert.strictEqual(fallback, known.default, variable)
    }
  })

  it("tells every convention with its default", () => {
    for (const key of Object.keys(Conventions.mexc)) assert.notStrictEqual(row(key), "", key)
    for (const code of Object.keys(Conventions.mexc.errorCodes)) assert.match(page.text, new RegExp(`\\b${code}\\b`))
  })
})

describe("the JSON Schema of the configuration file", () => {
  const problems = Validator.make(schemas.configuration)

  it.each<unknown>([
    {},
    { baseUrl: "https://api.example.com", rate: 20, timeout: "30 seconds", retries: 0 },
    { rate: "500/10 seconds", maxBody: 1024, concurrency: 64, allowHttp: false },
    { apiKeyFile: "key", secretKeyFile: "secret", archive: "tallystick.db", policy: "policy.json" },
    { conventions: { recvWindow: 10_000, errorCodes: { "1": "Unavailable" } } }
  ])("takes %j, as the command does", (value) => {
    assert.deepStrictEqual(ConfigFile.read(value).problems, [])
    assert.deepStrictEqual(problems(value), [])
  })

  it.each<unknown>([
    "text",
    { apiKey: "a key" },
    { secretKey: "a secret" },
    { rates: 20 },
    { rate: 0 },
    { retries: 101 },
    { retries: "5" },
    { concurrency: 65 },
    { maxBody: 1023 },
    { allowHttp: "true" },
    { archive: "" },
    { conventions: { recvWindow: 0 } },
    { conventions: { recvWindows: 1 } }
  ])("refuses %j, as the command does", (value) => {
    assert.isNotEmpty(ConfigFile.read(value).problems)
    assert.isNotEmpty(problems(value))
  })
})

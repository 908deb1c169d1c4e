/**
 * The settings of the command: each is a variable of the environment, and a key of `tallystick.json` unless it is a secret.
 * Plain data, because help reads it: a test holds it against what the libraries read.
 */

/** What a command does decides which settings matter to it. */
export type Purpose = "service" | "archive" | "input"

export interface Setting {
  /** As the configuration file calls it. */
  readonly key: string
  readonly variable: string
  readonly meaning: string
  readonly purpose: Purpose
  /** What counts when nobody says anything, in words. */
  readonly fallback?: string
  /** The flag that says the same. */
  readonly flag?: string
  /** A secret is never shown and never stands in the configuration file; a path there is relative to the file. */
  readonly form?: "secret" | "path" | "address"
  /** Hardly anybody changes it: help names it, and leaves it to the documentation to explain. */
  readonly isRare?: true
  /** Settings of one name say the same thing in two ways: who sets one of them means none of the others. */
  readonly choice?: string
}

const service = (setting: Omit<Setting, "purpose" | "variable">, name: string): Setting => ({
  ...setting,
  purpose: "service",
  variable: `TALLYSTICK_${name}`
})

type Input = "accounts" | "addresses" | "policy" | "prices" | "zone" | "format"

const input = (key: Input, meaning: string, form?: "path"): Setting => ({
  key,
  meaning,
  purpose: "input",
  variable: `TALLYSTICK_${key.toUpperCase()}`,
  flag: key,
  ...(form === undefined ? {} : { form })
})

/** What the flags of several commands say where they are given. */
export const inputs: Readonly<Record<Input, Setting>> = {
  accounts: input("accounts", "The file of --accounts", "path"),
  addresses: input("addresses", "The file of --addresses", "path"),
  policy: input("policy", "The file of --policy", "path"),
  prices: input("prices", "The file of --prices", "path"),
  zone: { ...input("zone", "Zone of dates and of times in reports"), fallback: "UTC" },
  format: { ...input("format", "How reports are written"), fallback: "table" }
}

export const settings: ReadonlyArray<Setting> = [
  service({
    key: "baseUrl",
    meaning: "Address of the exchange, with any path prefix; https unless loopback",
    form: "address"
  }, "BASE_URL"),
  service({ key: "apiKey", meaning: "The key", form: "secret", choice: "apiKey" }, "API_KEY"),
  service({ key: "apiKeyFile", meaning: "A file that holds the key", form: "path", choice: "apiKey" }, "API_KEY_FILE"),
  service({ key: "secretKey", meaning: "The key's secret", form: "secret", choice: "secretKey" }, "SECRET_KEY"),
  service({
    key: "secretKeyFile",
    meaning: "A file that holds the secret",
    form: "path",
    choice: "secretKey"
  }, "SECRET_KEY_FILE"),
  service(
    { key: "rate", meaning: "Requests a second, or requests in a window: 500/10 seconds", fallback: "20" },
    "RATE"
  ),
  service({ key: "timeout", meaning: "Longest wait for one answer", fallback: "30 seconds" }, "TIMEOUT"),
  service({ key: "retries", meaning: "Attempts after the first", fallback: "5", isRare: true }, "RETRIES"),
  service({
    key: "retryBudget",
    meaning: "Longest time that attempts may take together",
    fallback: "2 minutes",
    isRare: true
  }, "RETRY_BUDGET"),
  service({
    key: "maxWait",
    meaning: "Longest Retry-After or ban that is waited out",
    fallback: "5 minutes",
    isRare: true
  }, "MAX_WAIT"),
  service({ key: "maxBody", meaning: "Longest answer, in bytes", fallback: "33554432", isRare: true }, "MAX_BODY"),
  service({ key: "concurrency", meaning: "Slices of a scan read at once", fallback: "4", isRare: true }, "CONCURRENCY"),
  service({
    key: "allowHttp",
    meaning: "Whether plain http is allowed to other hosts",
    fallback: "false",
    isRare: true
  }, "ALLOW_HTTP"),
  service({ key: "conventions", meaning: "What is assumed of the exchange, as JSON", isRare: true }, "CONVENTIONS"),
  {
    key: "archive",
    variable: "TALLYSTICK_ARCHIVE",
    meaning: "The archive's file",
    purpose: "archive",
    fallback: "tallystick.db",
    flag: "archive-file",
    form: "path",
    choice: "archive"
  },
  {
    key: "databaseUrl",
    variable: "TALLYSTICK_DATABASE_URL",
    meaning: "A PostgreSQL database for the archive: postgres://user:password@host:port/database",
    purpose: "archive",
    form: "address",
    choice: "archive"
  },
  ...Object.values(inputs)
]

/** The forms of a report. */
export const formats = ["table", "json", "ndjson", "csv", "markdown", "html"] as const

/** Names the configuration file. */
export const CONFIG = "TALLYSTICK_CONFIG"

/** Every variable of ours that something reads. */
export const variables: ReadonlyArray<string> = [CONFIG, ...settings.map(({ variable }) => variable)]

export const byVariable = (variable: string): Setting | undefined =>
  settings.find((setting) => setting.variable === variable)

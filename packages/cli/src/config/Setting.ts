/**
 * The settings of the command: each is a variable of the environment, and a key of `tallystick.json` unless it is a secret.
 * The settings of the client come from the table of the library that reads them.
 */
import * as BrokerConfig from "@tallystick/core/BrokerConfig"
import * as ReportFormat from "./ReportFormat.ts"

/** The purpose of a setting: commands read settings by what they do. */
export type Purpose = "service" | "archive" | "input" | "notices"

export interface Setting {
  /** As the configuration file calls it. */
  readonly key: string
  readonly variable: string
  readonly meaning: string
  readonly purpose: Purpose
  /** The default in words. */
  readonly fallback?: string
  /** The flag that says the same. */
  readonly flag?: string
  /** A secret is never shown and never stands in the configuration file; a path there is relative to the file. */
  readonly form?: "secret" | "path" | "address"
  /** Hardly anybody changes it: help names it, and leaves it to the documentation to explain. */
  readonly isRare?: true
  /** Settings of one name are ways to say the same thing: a user who sets one means none of the others. */
  readonly choice?: string
  /** The choice that it belongs to: further keys of a configuration file are of the key that this file says. */
  readonly belongsTo?: string
}

/** Stands in the place of a file of accounts for the list that the exchange itself keeps. */
export const OF_SERVICE = "service"

/** Whether a value of a setting is the name of a file. */
export const namesFile = ({ form, key }: Setting, value: string): boolean =>
  form === "path" && !(key === "accounts" && value === OF_SERVICE)

/** Hardly anybody changes these. */
const rare: ReadonlySet<string> = new Set([
  "retries",
  "retryBudget",
  "maxWait",
  "maxBody",
  "concurrency",
  "allowHttp",
  "conventions"
])

/** Makes a setting of a variable that a library reads, with the library's words. */
const known =
  (purpose: Purpose) => ({ default: fallback, key, meaning, name, secret }: BrokerConfig.Variable): Setting => ({
    key,
    variable: name,
    meaning,
    purpose,
    ...(fallback === undefined ? {} : { fallback }),
    ...(secret === undefined ? {} : { form: "secret", choice: key }),
    ...(key === "apiKeys" ? { belongsTo: "apiKey" } : {}),
    ...(key === "baseUrl" ? { form: "address" } : {}),
    ...(rare.has(key) ? { isRare: true } : {})
  })

const KEY_FILES: Readonly<Record<string, string>> = {
  apiKey: "A file that holds the key",
  notifyToken: "A file that holds the token",
  apiKeys: "A file that holds the further keys"
}

/** A secret may stand in a file of its own. */
const withFile = (setting: Setting): ReadonlyArray<Setting> =>
  setting.form !== "secret" ? [setting] : [setting, {
    key: `${setting.key}File`,
    variable: `${setting.variable}_FILE`,
    meaning: KEY_FILES[setting.key] ?? "A file that holds the secret",
    purpose: setting.purpose,
    form: "path",
    choice: setting.key,
    ...(setting.belongsTo === undefined ? {} : { belongsTo: setting.belongsTo })
  }]

const ofService = BrokerConfig.variables.map(known("service")).flatMap(withFile)

type Input = "accounts" | "addresses" | "policy" | "prices" | "map" | "zone" | "format"

const input = (key: Input, meaning: string, form?: "path"): Setting => ({
  key,
  meaning,
  purpose: "input",
  variable: `TALLYSTICK_${key.toUpperCase()}`,
  flag: key,
  ...(form === undefined ? {} : { form })
})

/** Settings that stand in for flags of several commands. */
export const inputs: Readonly<Record<Input, Setting>> = {
  accounts: input("accounts", `The file of --accounts, or \`${OF_SERVICE}\``, "path"),
  addresses: input("addresses", "The file of --addresses", "path"),
  policy: input("policy", "The file of --policy", "path"),
  prices: input("prices", "The file of --prices", "path"),
  map: input("map", "Which columns of --deposits and --transfers hold which fields, as --map says it or as JSON"),
  zone: { ...input("zone", "Zone of dates and of times in reports"), fallback: "UTC" },
  format: { ...input("format", "How reports are written"), fallback: ReportFormat.standard }
}

/** The longest line of a file of records. */
export const maxLine = {
  key: "maxLine",
  variable: "TALLYSTICK_MAX_LINE",
  meaning:
    "Longest line of a file of records, in bytes; a file with a longer one is refused, and no more of it is read",
  purpose: "input",
  fallback: "1048576",
  isRare: true,
  smallest: 1024,
  largest: 268_435_456,
  allowed: "1024 to 268435456"
} as const satisfies Setting & Readonly<Record<string, unknown>>

/** Whether files that others may open are refused. */
export const strict = {
  key: "strict",
  variable: "TALLYSTICK_STRICT",
  meaning:
    "Whether key files that others than their owner may read, and a configuration file that they may write, are refused " +
    "instead of warned of",
  purpose: "input",
  fallback: "false",
  flag: "strict",
  isRare: true,
  allowed: "true or false"
} as const satisfies Setting & Readonly<Record<string, unknown>>

const token: Setting = {
  key: "notifyToken",
  variable: "TALLYSTICK_NOTIFY_TOKEN",
  meaning: "The token that goes with notices to the address of --notify-url, as Authorization: Bearer",
  purpose: "notices",
  form: "secret",
  choice: "notifyToken"
}

/** Settings of what is told to programs outside. */
export const notices = {
  url: {
    key: "notifyUrl",
    variable: "TALLYSTICK_NOTIFY_URL",
    meaning: "The address of --notify-url: reconcile --book and sync --watch post notices to it",
    purpose: "input",
    flag: "notify-url",
    form: "address"
  },
  command: {
    key: "notifyCommand",
    variable: "TALLYSTICK_NOTIFY_COMMAND",
    meaning: "The command of --notify-command, which takes notices from stdin: words, or a JSON array of them",
    purpose: "input",
    flag: "notify-command"
  },
  details: {
    key: "notifyDetails",
    variable: "TALLYSTICK_NOTIFY_DETAILS",
    meaning: "Whether notices name sub-accounts, as with --notify-details",
    purpose: "input",
    fallback: "false",
    flag: "notify-details"
  },
  token
} as const satisfies Readonly<Record<string, Setting>>

/** Reads `true` or `false`; gives undefined for any other text. */
export const truth = (text: string): boolean | undefined =>
  text === "true" || text === "false" ? text === "true" : undefined

/** Bytes that a text says for it; undefined where it says none that are allowed. */
export const lineLength = (text: string): number | undefined => {
  const bytes = /^\d{1,9}$/.test(text) ? Number(text) : 0
  return bytes >= maxLine.smallest && bytes <= maxLine.largest ? bytes : undefined
}

export const settings: ReadonlyArray<Setting> = [
  ...ofService,
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
  ...Object.values(inputs),
  notices.url,
  notices.command,
  notices.details,
  ...withFile(token),
  maxLine,
  strict
]

/** A file that holds a key or a secret. */
export const isKeyFile = ({ choice, form }: Setting): boolean =>
  form === "path" && ["apiKey", "secretKey", "apiKeys", "notifyToken"].includes(choice ?? "")

/** Names the configuration file. */
export const CONFIG = "TALLYSTICK_CONFIG"

/** Every variable of ours that something reads. */
export const variables: ReadonlyArray<string> = [CONFIG, ...settings.map(({ variable }) => variable)]

/** Whether a flag or a key has a name that people give to secrets. */
export const isSecretName = (name: string): boolean =>
  /^(?:api|secret|access|private|notify)?[_-]?(?:keys?|secret|password|token)$/i.test(name)

export const byVariable = (variable: string): Setting | undefined =>
  settings.find((setting) => setting.variable === variable)

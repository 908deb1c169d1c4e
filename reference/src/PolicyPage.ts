/** `docs/reference/policy.md`: every key of a policy. */
import * as Form from "./Form.ts"
import * as Generated from "./Generated.ts"
import * as Markdown from "./Markdown.ts"
import * as Schemas from "./Schemas.ts"

const HEAD = ["key", "default", "value", "meaning"]

const row = (prefix: string) => (key: Form.Key): ReadonlyArray<string> => [
  Markdown.code(`${prefix}${key.name}`),
  Form.fallback(key),
  Form.text(key.node),
  Form.meaning(key)
]

/** Finds the keys below a key: those of objects one level down as well, and those of the items of lists. */
const rows = (prefix: string, { node }: Form.Key): ReadonlyArray<ReadonlyArray<string>> =>
  Form.keys(node).flatMap((key) => {
    const below = prefix.endsWith("[].") ? [] : Form.keys(key.node)
    return below.length === 0 ? [row(prefix)(key)] : below.map(row(`${prefix}${key.name}.`))
  })

const section = (key: Form.Key): ReadonlyArray<string> => {
  const isList = key.node["type"] === "array"
  const table = rows(`${key.name}${isList ? "[]." : "."}`, key)
  const hasOwn = isList || table.length === 0
  return [
    `## \`${key.name}\``,
    Form.meaning(key),
    ...(hasOwn ? [`Default ${Form.fallback(key)}. Value: ${Form.text(key.node)}.`] : []),
    ...(table.length > 0 ? [Markdown.table(HEAD, table)] : [])
  ]
}

const INTRODUCTION =
  `A policy says which transfer may belong to which deposit. It is a JSON object in which every key is
optional; keys that are not known are refused by name, at every level. What to use the keys for, with examples, is told in
[policies.md](../policies.md). Editors and other languages use the [JSON Schema](../schema/policy.schema.json); the reader
also refuses what a schema cannot tell, such as a name in two lists of aliases.

- A **duration** is a text of a number and a unit (\`"90 seconds"\`, \`"1 hour"\`, \`"-1.5 days"\`; \`milli\`, \`second\`,
  \`minute\`, \`hour\`, \`day\`, \`week\`, with or without \`s\`), or a whole number of milliseconds.
- **Decimal text** is an amount or a share: at most 64 digits on either side of the point, no sign, no exponent. JSON numbers
  are refused, because they are not exact.`

export const page: Generated.Generated = Generated.page("docs/reference/policy.md", [
  "# Policy reference",
  INTRODUCTION,
  ...Form.keys(Schemas.schemas.policy).flatMap(section)
])

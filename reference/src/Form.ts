/** Says in words which values a JSON Schema allows. */
import type { Node } from "./JsonSchema.ts"
import * as Markdown from "./Markdown.ts"

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const nodes = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value.filter(isNode) : [])

const grouped = (number: number): string => number.toLocaleString("en-US")

const range = ({ exclusiveMinimum, maximum, minimum }: Node): string => {
  if (typeof minimum === "number" && typeof maximum === "number") return `, ${grouped(minimum)} to ${grouped(maximum)}`
  if (exclusiveMinimum === 0) return " above 0"
  return minimum === 0 ? ", not negative" : ""
}

const list = (node: Node): string => {
  const { items, minItems, prefixItems } = node
  const [first] = nodes(prefixItems)
  if (first !== undefined && !isNode(items)) return `pair of ${ofAll(first)}`
  return `${minItems === 1 ? "list, not empty, of" : "list of"} ${ofAll(isNode(items) ? items : {})}`
}

const plurals: Readonly<Record<string, string>> = {
  "error class": "error classes",
  object: "objects",
  text: "texts",
  "text, not empty": "names",
  "whole number": "whole numbers",
  "whole number or text": "whole numbers or texts"
}

const ofAll = (node: Node): string => {
  const one = text(node)
  if (one.startsWith("list, not empty, of ")) return `lists of ${one.slice("list, not empty, of ".length)}`
  if (one.startsWith("list of ")) return `lists of ${one.slice("list of ".length)}`
  return one.startsWith("pair of ") ? `pairs of ${one.slice("pair of ".length)}` : plurals[one] ?? one
}

/** `decimal text`, `whole number, 2 to 32`, `list of objects`. */
export const text = (node: Node): string => {
  const { anyOf, enum: values, title, type } = node
  if (typeof title === "string" && type !== "object") return title + range(node)
  if (Array.isArray(values)) return values.map(Markdown.value).join(", ")
  if (Array.isArray(anyOf)) return Array.from(new Set(nodes(anyOf).map(text))).join(" or ")
  switch (type) {
    case "boolean":
      return "`true` or `false`"
    case "integer":
      return `whole number${range(node)}`
    case "number":
      return `number${range(node)}`
    case "array":
      return list(node)
    case "string":
      if (node["format"] === "regex") return "regular expression"
      return node["minLength"] === 1 ? "text, not empty" : "text"
    case "null":
      return "`null`"
    default: {
      const more = nodes([node["additionalProperties"], ...Object.values(node["patternProperties"] ?? {})])[0]
      return more === undefined || node["properties"] !== undefined ? "object" : `object of ${ofAll(more)}`
    }
  }
}

export interface Key {
  readonly name: string
  readonly node: Node
  readonly required: boolean
}

/** Finds the keys of an object, of the items of a list, or of the only alternative that has keys. */
export const keys = (node: Node): ReadonlyArray<Key> => {
  const { anyOf, items, properties, required } = node
  if (isNode(properties)) {
    const needed: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
    return Object.entries(properties).flatMap(([name, node]) =>
      isNode(node) ? [{ name, node, required: needed.includes(name) }] : []
    )
  }
  if (isNode(items)) return keys(items)
  return nodes(anyOf).flatMap(keys)
}

/** Writes the default of a key. */
export const fallback = ({ node, required }: Key): string => {
  if (required) return "required"
  return node["default"] === undefined ? "" : Markdown.value(node["default"])
}

export const meaning = ({ node }: Pick<Key, "node">): string =>
  typeof node["description"] === "string" ? node["description"] : ""

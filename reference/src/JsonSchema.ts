/**
 * Makes JSON Schemas (2020-12) from the schemas that the programs use, and tidies them: the description of a key stands
 * beside its type, and of two bounds only the narrower one is kept.
 */
import * as Schema from "effect/Schema"

export interface Node {
  readonly [keyword: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const bounds: Readonly<Record<string, (a: number, b: number) => number>> = { minimum: Math.max, maximum: Math.min }

const says = new Set(["title", "description", "default"])

/** Joins two statements about one value, and returns the part of the second that cannot stand beside the first. */
const joined = (base: Node, more: Node): { readonly node: Node; readonly rest: Node } => {
  const node: Record<string, unknown> = { ...base }
  const rest: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(more)) {
    const before = node[keyword]
    const narrower = bounds[keyword]
    if (says.has(keyword) || before === undefined) node[keyword] = value
    else if (narrower !== undefined && typeof before === "number" && typeof value === "number") {
      node[keyword] = narrower(before, value)
    } else if (JSON.stringify(before) !== JSON.stringify(value)) rest[keyword] = value
  }
  return { node, rest }
}

/** Drops a bound that every whole number keeps that JSON can carry exactly. */
const isIdle = (keyword: string, value: unknown): boolean =>
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) ||
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER)

const tidyNode = ({ allOf, ...base }: Node): Node => {
  let node: Node = base
  const rests: Array<Node> = []
  for (const part of Array.isArray(allOf) ? allOf.filter(isNode) : []) {
    const merged = joined(node, part)
    node = merged.node
    if (Object.keys(merged.rest).length > 0) rests.push(merged.rest)
  }
  const kept = Object.entries(node).filter(([keyword, value]) => !isIdle(keyword, value))
  return Object.fromEntries(rests.length === 0 ? kept : [...kept, ["allOf", rests]])
}

const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (!isNode(value)) return value
  return tidyNode(Object.fromEntries(Object.entries(value).map(([key, part]) => [key, tidy(part)])))
}

/** The default of each key, where `defaults` has a value at its place. */
const withDefaults = (node: Node, defaults: unknown): Node => {
  const { anyOf, properties } = node
  if (!isNode(defaults)) return { ...node, default: defaults }
  if (Array.isArray(anyOf)) {
    return {
      ...node,
      anyOf: anyOf.map((one: unknown) => isNode(one) && isNode(one["properties"]) ? withDefaults(one, defaults) : one)
    }
  }
  if (!isNode(properties)) return { ...node, default: defaults }
  const keys = Object.entries(properties).map(([key, property]) => {
    const value = defaults[key]
    return [key, value === undefined || !isNode(property) ? property : withDefaults(property, value)] as const
  })
  return { ...node, properties: Object.fromEntries(keys) }
}

export interface Options {
  /** Whether keys that are not known are refused, as the readers of files do. */
  readonly strict: boolean
  /** Defaults as they would be written; they may be a part of what the schema describes. */
  readonly defaults?: unknown
}

/** Puts a definition that is the whole schema in its place, so that a reader finds the keys at once. */
const inPlace = (root: Node, definitions: Node): { readonly node: Node; readonly definitions: Node } => {
  const { $ref } = root
  const name = typeof $ref === "string" ? $ref.replace("#/$defs/", "") : ""
  const { [name]: definition, ...others } = definitions
  if (!isNode(definition) || Object.keys(root).length > 1) return { node: root, definitions }
  const isUsed = JSON.stringify([definition, others]).includes(JSON.stringify($ref))
  return { node: definition, definitions: isUsed ? definitions : others }
}

/** Makes the schema of a file or of a line, under its own name. */
export const make = (schema: Schema.Constraint, name: string, { defaults, strict }: Options): Node => {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: strict ? "error" : "ignore" })
  const root = tidy(document.schema)
  const all = tidy(document.definitions)
  const { definitions, node } = inPlace(isNode(root) ? root : {}, isNode(all) ? all : {})
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:tallystick:schema:${name}`,
    ...(defaults === undefined ? node : withDefaults(node, defaults)),
    ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {})
  }
}

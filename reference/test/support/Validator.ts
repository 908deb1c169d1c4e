/** A validator that has nothing to do with the schemas' own readers. */
import { Ajv2020 } from "ajv/dist/2020.js"
import type { Node } from "../../src/JsonSchema.ts"

/** What is wrong with the value, or nothing. The schema itself must be one. */
export const make = (schema: Node): (value: unknown) => ReadonlyArray<string> => {
  const ajv = new Ajv2020({
    allErrors: true,
    strictTypes: false,
    strictTuples: false,
    formats: { regex: true, uri: true }
  })
  const { $id: _, ...own } = schema
  const validate = ajv.compile(own)
  return (value) =>
    validate(value)
      ? []
      : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? "is wrong"}`)
}

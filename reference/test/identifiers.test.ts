/** Schemas are named in one way: classes by their package and module, as Effect's own are, and plain schemas by one word. */
import { assert, describe, it } from "@effect/vitest"
import * as archive from "@tallystick/archive"
import * as core from "@tallystick/core"
import * as reconcile from "@tallystick/reconcile"
import * as report from "@tallystick/report"
import * as sandbox from "@tallystick/sandbox"
import { hasProperty } from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

const libraries: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  archive,
  core,
  reconcile,
  report,
  sandbox
}

const schemas = Object.entries(libraries).flatMap(([library, modules]) =>
  Object.entries(modules).flatMap(([module, names]) =>
    Object.entries(names).flatMap(([name, schema]: readonly [string, unknown]) =>
      Schema.isSchema(schema) ? [{ name, path: `@tallystick/${library}/${module}`, schema }] : []
    )
  )
)

describe("the identifier of a public schema", () => {
  it("is the place of a class, so that no two classes are taken for each other", () => {
    const classes = schemas.flatMap(({ name, path, schema }) =>
      hasProperty(schema, "identifier")
        ? [{ found: schema.identifier, wanted: path.endsWith(`/${name}`) ? path : `${path}/${name}` }]
        : []
    )
    assert.isAbove(classes.length, 45)
    assert.deepStrictEqual(classes.filter(({ found, wanted }) => found !== wanted), [])
  })

  it("is one word elsewhere, and no other schema has it", () => {
    const plain = schemas.flatMap(({ name, path, schema }) => {
      const identifier = hasProperty(schema, "identifier") ? undefined : SchemaAST.resolveIdentifier(schema.ast)
      return identifier === undefined ? [] : [{ identifier, place: `${path}/${name}`, ast: schema.ast }]
    })
    assert.isAbove(plain.length, 40)
    assert.deepStrictEqual(plain.filter(({ identifier }) => !/^[A-Z][A-Za-z]+$/.test(identifier)), [])
    const first = new Map(plain.toReversed().map((one) => [one.identifier, one]))
    const doubled = plain.filter(({ ast, identifier }) => first.get(identifier)?.ast !== ast)
    // Reports write an outcome in another form, and a reader of reports knows only that one.
    assert.deepStrictEqual(doubled.map(({ place }) => place), ["@tallystick/reconcile/Report/ReportOutcome"])
  })
})

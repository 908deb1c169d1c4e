/** A mutation switches off a rule of the engine as a whole: a stand-in that does nothing replaces one function. */
import { readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"

export interface Mutation {
  /**
   * The name of the function: `Module.name`, or `Module.name.method` of what that returns. The module is a file anywhere in
   * `src`; where several have one name, the folder stands before it. The name is a constant at the top level of the module.
   */
  readonly rule: string
  /** The JavaScript that stands in for the function; `$rule` is what it replaces. */
  readonly instead: string
  /** The test file that must notice. */
  readonly test: string
}

const reconcile = join(import.meta.dirname, "..")
const files = readdirSync(join(reconcile, "src"), { recursive: true, encoding: "utf8" })

/** Finds the path of the module; `undefined` unless exactly one has the name. */
export const pathOf = ({ rule }: Mutation): string | undefined => {
  const [module] = rule.split(".")
  const [path, ...more] = files.filter((file) => `/${file.replaceAll(sep, "/")}`.endsWith(`/${module}.ts`))
  return path === undefined || more.length > 0 ? undefined : join(reconcile, "src", path)
}

export const testOf = ({ test }: Mutation): string => join(reconcile, "test", `${test}.test.ts`)

/**
 * Returns the text of the module without the rule; `undefined` unless the module declares the name once and mentions the
 * method.
 */
export const apply = ({ instead, rule }: Mutation, text: string): string | undefined => {
  const [, name, method] = rule.split(".")
  const declaration = new RegExp(`^(export )?const ${name}(?=[ :])`, "gmu")
  const isThere = method === undefined || new RegExp(`\\b${method}\\b`, "u").test(text)
  if (text.match(declaration)?.length !== 1 || !isThere) return undefined
  const whole = method === undefined ? instead : `(...all) => ({ ...$rule(...all), ${method}: ${instead} })`
  return text.replace(
    declaration,
    (_, exported: string | undefined) => `${exported ?? ""}const ${name} = ${whole}; const $rule`
  )
}

/** Reads the module and returns its text without the rule. */
export const read = (mutation: Mutation): string | undefined => {
  const path = pathOf(mutation)
  return path === undefined ? undefined : apply(mutation, readFileSync(path, "utf8"))
}

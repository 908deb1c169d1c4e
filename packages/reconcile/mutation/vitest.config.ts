/** The tests, without the rule that `TALLYSTICK_MUTATION` names: all of them where it names none. */
import { join } from "node:path"
import { defineConfig, type Plugin } from "vitest/config"
import * as Mutation from "./Mutation.ts"
import { mutations } from "./mutations.ts"

const without = (mutation: Mutation.Mutation): Plugin => {
  const path = Mutation.pathOf(mutation)
  return {
    name: "mutation",
    enforce: "pre",
    // Vitest keeps modules as it transformed them: this one neither comes from an earlier run nor goes into a later one.
    configureVitest: ({ defineCacheKeyGenerator }) =>
      defineCacheKeyGenerator(({ id }) => (id === path ? false : undefined)),
    transform: (text, id) => {
      if (id !== path) return undefined
      const mutated = Mutation.apply(mutation, text)
      if (mutated === undefined) throw new Error(`${path} does not declare ${mutation.rule} once.`)
      return mutated
    }
  }
}

export default defineConfig({
  root: join(import.meta.dirname, ".."),
  plugins: mutations.filter(({ rule }) => rule === process.env["TALLYSTICK_MUTATION"]).map(without),
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    // One worker that loads everything once, because the tests are short; a thread, because it ends with its process.
    pool: "threads",
    isolate: false,
    maxWorkers: 1
  }
})

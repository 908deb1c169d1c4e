/** The command in a folder with a configuration file. */
import { assert } from "@effect/vitest"
import * as Overview from "@tallystick/cli/config/Overview"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { directory, type Options, tallystick } from "./Run.ts"

/** Stands in no output. */
export const SECRET = "recognisable-secret"

const decode = Schema.decodeEffect(Schema.fromJsonString(Overview.Overview))

/** A folder with this configuration file, and the settings that are in force there. */
export const configured = Effect.fnUntraced(function*(file: unknown) {
  const files = yield* directory
  yield* files.put("tallystick.json", typeof file === "string" ? file : JSON.stringify(file))
  const folder = files.at("")
  const run = Effect.fnUntraced(function*(args: ReadonlyArray<string>, options: Options = {}) {
    const result = yield* tallystick(args, { folder, ...options })
    assert.notInclude(result.stdout + result.stderr, SECRET)
    return result
  })
  const show = Effect.fnUntraced(function*(args: ReadonlyArray<string> = [], env: Record<string, string> = {}) {
    const result = yield* run(["config", "show", "--format", "json", ...args], { env })
    const overview = yield* decode(result.stdout)
    const one = (name: string) => {
      const { from, origin, problem, value } = overview.settings.find(({ setting }) => setting === name) ?? {}
      return { from, origin, problem, value }
    }
    return { ...result, overview, one }
  })
  return { ...files, folder, run, show }
})

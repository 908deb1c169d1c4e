/** A file of users, as people change it. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Person from "../../src/Person.ts"
import * as TokenHash from "../../src/TokenHash.ts"
import type * as Users from "../../src/Users.ts"
import * as Asked from "./Asked.ts"

/** A folder that is gone with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tallystick-console-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

export const user = Effect.fnUntraced(function*(name: string, role: Person.Role) {
  const { hash, token } = yield* TokenHash.issue
  return { token: Redacted.value(token), user: { name, role, token: hash } }
})

export const write = (file: string, users: ReadonlyArray<Users.User>): Effect.Effect<void> =>
  Effect.sync(() => writeFileSync(file, JSON.stringify({ users })))

/** A file with a clerk who decides, a controller who approves and an auditor who reads. */
export const made = Effect.gen(function*() {
  const file = join(yield* folder, "users.json")
  const clerk = yield* user("clerk", "decide")
  const controller = yield* user("controller", "approve")
  const auditor = yield* user("auditor", "read")
  yield* write(file, [clerk.user, controller.user, auditor.user])
  return { file, clerk, controller, auditor }
})

export const login = (
  origin: string,
  name: string,
  token: string,
  { agent, headers = {}, ...more }: Pick<Asked.Asking, "agent" | "headers"> & { readonly keep?: string } = {}
) =>
  Asked.asked(origin, {
    method: "POST",
    body: { name, token, ...more },
    headers,
    ...agent === undefined ? {} : { agent }
  })

/** Signs in, and gives what to send along. */
export const signedIn = Effect.fnUntraced(function*(origin: string, name: string, token: string) {
  const answer = yield* login(origin, name, token)
  return { authorization: `Bearer ${String(Asked.body(answer)["bearer"])}` }
})

/** The work of `tallystick console token`. */
import * as Person from "@tallystick/console/Person"
import * as TokenHash from "@tallystick/console/TokenHash"
import * as Users from "@tallystick/console/Users"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Failure from "../Failure.ts"
import * as Output from "../output/Output.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags {
  readonly name: string
  readonly role: Person.Role
  readonly users: string
}

const NOBODY: Users.Users = { users: [] }

/** The people that the file has; nobody where there is none. */
const known = Effect.fnUntraced(function*(path: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const text = yield* Effect.option(fileSystem.readFileString(path))
  if (Option.isNone(text)) {
    return (yield* Effect.isSuccess(fileSystem.stat(path)))
      ? yield* Failure.usage(`${path} cannot be read`)
      : NOBODY
  }
  const users = Users.decode(text.value)
  return Result.isSuccess(users)
    ? users.success
    : yield* Failure.usage(`${path} is no file of users: ${users.failure.message}`)
})

export const run = Effect.fnUntraced(function*({ name, role, users: path }: Flags) {
  if (!Person.isName(name)) {
    return yield* Failure.usage(
      `"${Text.plain(name)}" is no name: 1 to 100 characters that all show are wanted, without spaces around them`
    )
  }
  const before = yield* known(path)
  const { hash, token } = yield* TokenHash.issue
  const users = Users.withUser(before, { name, role, token: hash })
  yield* Output.toFile(path, Stream.make(`${JSON.stringify(users, undefined, 2)}\n`))
  yield* FileSystem.FileSystem.use(({ chmod }) => chmod(path, 0o600)).pipe(
    Output.failsAs(`${path} cannot be kept from others`)
  )
  yield* Stderr.say(
    `${name} signs in with this token, which is told here and nowhere else; ${path} has its hash. A console that reads the file knows it from now on.`
  )
  return yield* Output.toStdout(Stream.make(`${Redacted.value(token)}\n`))
})

/** The file of users names the people who may sign in, what each may do, and the hash of each one's token. */
import * as Decision from "@tallystick/archive/Decision"
import * as Schema from "effect/Schema"
import * as Person from "./Person.ts"
import * as TokenHash from "./TokenHash.ts"

export const User = Schema.Struct({
  name: Person.Person.fields.name,
  role: Person.Role,
  /** The hash of the person's token; the token itself is kept nowhere. */
  token: TokenHash.TokenHash.annotateKey({
    description: "The hash of the person's token; the token itself is kept nowhere."
  })
}).annotate({ identifier: "User" })
export type User = typeof User.Type

/** Two names that one person could write are one name: nobody may approve what the other one proposed. */
const areApart = (users: ReadonlyArray<User>): boolean =>
  users.every(({ name }, index) => users.slice(0, index).every((other) => !Decision.isSamePerson(name, other.name)))

export const Users = Schema.Struct({
  users: Schema.Array(User).check(
    Schema.isMaxLength(1000),
    Schema.makeFilter(areApart, { expected: "names of which no two are those of one person" })
  )
}).annotate({ identifier: "Users" })
export type Users = typeof Users.Type

/** Reads the text of the file. */
export const decode = Schema.decodeUnknownResult(Schema.fromJsonString(Users))

/** Gives the file with a user in it, in place of one of the same name. */
export const withUser = ({ users }: Users, user: User): Users => ({
  users: [...users.filter(({ name }) => !Decision.isSamePerson(name, user.name)), user]
})

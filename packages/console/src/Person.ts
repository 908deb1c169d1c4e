/** A person is somebody who is signed in at the console: everything that is written bears this name, and the role says what may be. */
import * as Decision from "@tallystick/archive/Decision"
import * as PersonName from "@tallystick/archive/PersonName"
import * as Schema from "effect/Schema"

/**
 * Each role may do what those before it may: `read` sees everything, `decide` writes and revokes decisions, `approve` agrees to what others
 * proposed, and closes and reopens periods.
 */
export const Role = Schema.Literals(["read", "decide", "approve"])
export type Role = typeof Role.Type

/** Tells whether a role may do what another one is needed for. */
export const allows = (has: Role, needed: Role): boolean => Role.literals.indexOf(has) >= Role.literals.indexOf(needed)

/** A name has 1 to 100 characters, each of which shows or is a space, and does not begin or end with one. */
export const Name = Schema.String.check(
  Schema.isBetweenLength(1, 100),
  Schema.makeFilter(
    (name) => name.trim() === name && name.isWellFormed() && !PersonName.hidesSomething(name),
    { expected: "a name whose characters all show, without spaces around it" }
  )
)

/** Tells whether a text can be the name of a person. */
export const isName: (text: string) => boolean = Schema.is(Name)

export const Person = Schema.Struct({
  /** The name that decisions bear. */
  name: Name.annotateKey({ description: "The name that decisions bear." }),
  role: Role,
  /** How far the name can be trusted. */
  identity: Decision.Identity.annotateKey({ description: "How far the name can be trusted." })
}).annotate({ identifier: "Person" })
export type Person = typeof Person.Type

/** The people who may have a session: one alone at the desk, or those of the file of users as it is at this moment. */
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { Unavailable } from "../../ConsoleError.ts"
import type * as Person from "../../Person.ts"

/** A person, and the proof that a session of this person stands on: where it changed, the session is over. */
export interface Known {
  readonly person: Person.Person
  /** The hash of the person's token; empty for the one at the desk. */
  readonly hash: string
}

export interface Directory {
  /** Finds a person by name. It fails while nobody can tell who may have a session. */
  readonly find: (name: string) => Effect.Effect<Option.Option<Known>, Unavailable>
}

/** `--by NAME`: who decides. Without it, the user of the operating system. */
import type * as Decision from "@tallystick/archive/Decision"
import * as PersonName from "@tallystick/archive/PersonName"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { userInfo } from "node:os"
import * as Failure from "../Failure.ts"

/** Spaces around a name are none of it, and what does not show in it would let one person pass for two. */
export const Name = Schema.Trim.check(
  Schema.makeFilter((name) => name !== "" && !PersonName.hidesSomething(name), {
    expected: "a name that is not blank and has no invisible characters"
  })
)

export const flag = Flag.String("by").pipe(
  Flag.withMetavar("NAME"),
  Flag.withSchema(Name),
  Flag.withDescription("Who decides; without it, the user that the operating system names"),
  Flag.optional
)

export interface Flags {
  readonly by: Option.Option<string>
}

/** A name that is given is a claim; nobody checks it. */
export const author = Effect.fnUntraced(function*({ by }: Flags): Effect.fn.Return<Decision.Author, Failure.Failure> {
  if (Option.isSome(by)) return { by: by.value, identity: "claimed" }
  return yield* Effect.try({
    try: () => ({ by: userInfo().username, identity: "os" as const }),
    catch: () => Failure.usage("the operating system has no name for this user; say who decides with --by NAME")
  })
})

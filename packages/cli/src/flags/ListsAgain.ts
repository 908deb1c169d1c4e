/** The files of accounts and addresses, as a command reads them that goes on for days: again before each of its rounds. */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Setting from "../config/Setting.ts"
import type * as Failure from "../Failure.ts"
import * as FileBytes from "../files/FileBytes.ts"
import type * as InputFile from "../files/InputFile.ts"
import * as SettingFile from "../files/SettingFile.ts"
import * as Names from "../text/Names.ts"
import type { Flags } from "./InputFlags.ts"
import * as Inputs from "./Inputs.ts"

export interface Reading {
  readonly told: Inputs.Told
  /** Why the files could not be read this time, so that what was read before stays in force. */
  readonly problem: string | undefined
  /** Which accounts are new, and which are named no more, in a sentence each. */
  readonly changes: ReadonlyArray<string>
}

/** Reads the files again. */
export type ListsAgain = Effect.Effect<Reading, never, InputFile.Sources>

const counted = (count: number): string => (count === 1 ? "1 account is" : `${count} accounts are`)

/** Tells how a list differs from the one before; the exchange's own list is told of elsewhere. */
const changes = (before: Inputs.Told, now: Inputs.Told): ReadonlyArray<string> => {
  if (SettingFile.isOfService(before.accounts) || SettingFile.isOfService(now.accounts)) return []
  const [earlier, present] = [new Set(before.accounts.list), new Set(now.accounts.list)]
  const added = now.accounts.list.filter((name) => !earlier.has(name))
  const gone = before.accounts.list.filter((name) => !present.has(name))
  return [
    ...(added.length === 0 ? [] : [`${counted(added.length)} new in the list: ${Names.some(added)}`]),
    ...(gone.length === 0
      ? []
      : [`${counted(gone.length)} no longer in the list, and not read any more: ${Names.some(gone)}`])
  ]
}

const namesNobody = ({ accounts }: Inputs.Told): boolean => accounts.list.length === 0

/** Whether all of the files can be read again: a pipe and stdin give what they hold once. */
const areKept = ({ accounts, addresses }: Pick<Flags, "accounts" | "addresses">) =>
  Effect.map(
    Effect.forEach(
      [accounts, addresses].flatMap(Option.toArray).filter((path) => path !== Setting.OF_SERVICE),
      FileBytes.lengthOf
    ),
    (lengths) => lengths.every((length) => length !== undefined)
  )

/** A file that was written while it was read ends within a name, or is empty: it is read once more so much later, ms. */
const MOMENT = 1000

/** Makes what reads the files again, after they were read as `first`. A list without any account is no list. */
export const make = Effect.fnUntraced(function*(
  flags: Pick<Flags, "accounts" | "addresses">,
  first: Inputs.Told
): Effect.fn.Return<ListsAgain, never, InputFile.Sources> {
  let told = first
  const kept = (problem?: string): Reading => ({ told, problem, changes: [] })
  if (!(yield* areKept(flags))) return Effect.sync(kept)
  const reading = Effect.result(Effect.mapError(Inputs.told(flags), ({ message }: Failure.Failure) => message))
  return Effect.gen(function*() {
    const read = yield* reading
    if (Equal.equals(read, Result.succeed(told))) return kept()
    yield* Effect.sleep(MOMENT)
    // Files that are still being written are read before the next round.
    if (!Equal.equals(read, yield* reading)) return kept()
    if (Result.isFailure(read)) return kept(read.failure)
    if (namesNobody(read.success)) return kept("the list of accounts names nobody now")
    const before = told
    told = read.success
    return { told, problem: undefined, changes: changes(before, told) }
  })
})

/**
 * The exchange may refuse to show single lists of transfers: a parameter, a permission, or an account of theirs. Each is a gap, and
 * the others are read. A key that is refused altogether ends the round after a few lists.
 */
import type * as BrokerError from "@tallystick/core/BrokerError"
import * as Effect from "effect/Effect"
import type { SyncError } from "../../ArchiveError.ts"
import type * as SyncTask from "./SyncTask.ts"

/** So many lists in a row, of more than one account, are refused before the round ends, where none was shown. */
const HANDFUL = 5

/** So many lists are read at once; they share the rate limit. */
const CONCURRENCY = 8

type OfList = Extract<
  BrokerError.RequestReason,
  { readonly _tag: "AccountRejected" | "InvalidRequest" | "PermissionDenied" | "QuotaExceeded" }
>

/** Gives the reason of a refusal that may be about one list alone. Any other would meet every list. */
const reasonOf = (error: BrokerError.RequestError | SyncError): OfList | undefined => {
  if (error._tag !== "BrokerError") return undefined
  const { reason } = error
  switch (reason._tag) {
    case "AccountRejected":
    case "InvalidRequest":
    case "PermissionDenied":
    case "QuotaExceeded":
      return reason
    default:
      return undefined
  }
}

/** The words do not say that the key is at fault: it may be the account. */
const detailOf = (reason: OfList): string => {
  const { code, serviceMessage } = reason
  const said = `the service said ${code}${serviceMessage === "" ? "" : `: ${serviceMessage}`}`
  if (reason._tag !== "PermissionDenied") return `the exchange refuses to show it (${said})`
  const to = reason.key === undefined ? "" : ` to ${reason.key}`
  return `the exchange refuses to show it${to} (${said}); the permission for it is ${reason.permission}`
}

const accountsOf = ({ query }: SyncTask.Task): ReadonlyArray<string> =>
  [query?.fromAccount, query?.toAccount].filter((name) => name !== undefined)

/** Whether no account has a part in all of the lists. */
const areOfSeveral = ([first, ...others]: ReadonlyArray<SyncTask.Task>): boolean =>
  first === undefined ||
  !accountsOf(first).some((name) => others.every((task) => accountsOf(task).includes(name)))

/**
 * A list that was shown of late comes first, and one that was asked for in vain comes last, so that a few refused lists do not look
 * like a refused key.
 */
const byPromise = (task: SyncTask.Task): number => task.completeTo > 0 ? task.completeTo : task.isAsked ? -1 : 0

/** A refusal of this kind is about the account, or about what the request names. Any other may come of the key. */
const isOfAccount = ({ _tag }: OfList): boolean => _tag === "AccountRejected" || _tag === "InvalidRequest"

interface Options {
  /** Accounts that a list of this round lacks: the exchange is expected to refuse to know them, and that is no gap. */
  readonly gone: ReadonlySet<string>
  /** Tells how many pages the round was shown so far. */
  readonly pages: () => number
}

/** Reads every list, and gives those of gone accounts that were refused as expected. It fails with a refusal where all lists are refused. */
export const readAll = Effect.fnUntraced(function*(tasks: ReadonlyArray<SyncTask.Task>, { gone, pages }: Options) {
  const begun = pages()
  const refused: Array<SyncTask.Task> = []
  const expected = new Set<SyncTask.Task>()

  /** Reads a list, and tells whether it was refused. */
  const isRefused = (task: SyncTask.Task) =>
    Effect.matchEffect(task.run, {
      onSuccess: () => Effect.succeed(false),
      onFailure: Effect.fnUntraced(function*(error) {
        const reason = reasonOf(error)
        if (reason === undefined) return yield* error
        if (isOfAccount(reason) && accountsOf(task).some((name) => gone.has(name))) {
          expected.add(task)
          return true
        }
        refused.push(task)
        yield* task.refused(detailOf(reason))
        const isOfKey = pages() === begun && refused.length >= HANDFUL && areOfSeveral(refused)
        return isOfKey ? yield* error : true
      })
    })

  // One after the other, until one is not refused: eight at once would be eight refusals of a key.
  const waiting = tasks.toSorted((a, b) => byPromise(b) - byPromise(a))
  let next = waiting.shift()
  while (next !== undefined && (yield* isRefused(next))) next = waiting.shift()
  yield* Effect.forEach(waiting, isRefused, { concurrency: CONCURRENCY, discard: true })
  return expected
})

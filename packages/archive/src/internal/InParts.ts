/** Decides a run over an archive, all at once or in parts, each of which reads its own assets alone. */
import * as Partition from "@tallystick/reconcile/Partition"
import * as Reconciliation from "@tallystick/reconcile/Reconciliation"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Archive from "../Archive.ts"
import * as ArchiveSource from "../ArchiveSource.ts"

/** What is reconciled, and what is read for it. */
export interface Run {
  readonly source: Omit<ArchiveSource.Options, "assets">
  readonly options: Reconciliation.Asked
}

/** Reads everything once, and decides it. */
const whole = ({ options, source }: Run) =>
  Reconciliation.reconcile(ArchiveSource.deposits(source), ArchiveSource.transfers(source), options)

/** Tells how far the run is: of the entries of a part so many count as done as its own share says. */
const telling = (tell: NonNullable<Reconciliation.Asked["onProgress"]>, { families }: Partition.Whole) => {
  const all = families.reduce((sum, family) => sum + family.entries, 0)
  let before = 0
  return (entries: number): Pick<Reconciliation.Asked, "onProgress"> => {
    const ended = before
    before += entries
    return {
      onProgress: ({ done, of }) =>
        tell({ done: ended + (of === 0 ? entries : Math.floor(entries * done / of)), of: all })
    }
  }
}

/**
 * Reads everything for what the parts have in common, because records of any asset decide about that, and then for each part its own
 * assets. It gives nothing where something was written meanwhile: parts of several states of the archive are no run.
 */
const apart = Effect.fnUntraced(function*({ options: { onProgress, ...options }, source }: Run, parts: number) {
  const { state } = yield* Archive.Archive
  const known = yield* state
  const { bad, whole } = yield* Reconciliation.survey(
    ArchiveSource.deposits(source),
    ArchiveSource.transfers(source),
    options
  )
  const tell = onProgress === undefined ? () => ({}) : telling(onProgress, whole)
  const decided = yield* Effect.forEach(Partition.balanced(whole.families, parts), ({ assets, entries }) => {
    const own = { ...source, assets }
    return Reconciliation.part(ArchiveSource.deposits(own), ArchiveSource.transfers(own), {
      ...options,
      ...tell(entries),
      assets,
      whole
    })
  })
  return (yield* state) === known
    ? Option.some(yield* Reconciliation.merge(decided, { ...options, whole, bad }))
    : Option.none()
}, Effect.catchTag("NotParts", Effect.die))

/** Makes the report. It is the same whatever the number of parts. */
export const report = Effect.fnUntraced(function*(run: Run, parts: number) {
  const made = parts > 1 ? yield* apart(run, parts) : Option.none()
  return Option.isSome(made) ? made.value : yield* whole(run)
})

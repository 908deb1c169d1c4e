/** The runs that were recorded, the last one first, and what changed between any two of them. */
import * as Run from "@tallystick/archive/Run"
import * as Text from "@tallystick/report/text/Text"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import { useAsked } from "../asking/useAsked.ts"
import * as Address from "../frame/Address.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import * as Comparable from "./Comparable.ts"
import { RunDiff } from "./RunDiff.tsx"
import { RunOutcomes } from "./RunOutcomes.tsx"

/** So many runs are listed at most; the command lists all. */
const MOST = 200

const counts = ({ counts }: Run.Run): string =>
  `${Text.counted(counts.discrepancy, "break")}, ${Text.count(counts.undetermined)} not decidable, ${
    Text.count(counts.pending)
  } pending, ${Text.counted(counts.matched, "match", "matches")}`

const Card = ({ run }: { readonly run: Run.Listed }) => {
  const { times } = useDesk()
  if (Run.isDamaged(run)) {
    return (
      <article class="card">
        <ShortId id={run.id} of="run" /> <span class="tag bad">is not as it was recorded</span>
      </article>
    )
  }
  const { clean, id, prunedAt, range, recordedAt } = run
  return (
    <article class="card" aria-label={`Run ${id}`}>
      <p>
        <ShortId id={id} of="run" />{" "}
        <span class={`tag ${clean ? "good" : "bad"}`}>{clean ? "agrees" : "does not agree"}</span>
      </p>
      <p>{range === null ? "Everything" : `${times.bound(range.from)} to ${times.bound(range.to)}`}: {counts(run)}</p>
      <p class="note">Recorded {times.instant(recordedAt)}</p>
      {prunedAt === undefined
        ? <a href={`#/runs?${new URLSearchParams({ run: id }).toString()}`}>Its outcomes</a>
        : <p class="note">Its outcomes were taken away {times.bound(prunedAt)}.</p>}
    </article>
  )
}

interface Props {
  readonly chosen: URLSearchParams
}

export const RunsScreen = ({ chosen }: Props) => {
  const { marks, times } = useDesk()
  const asked = useAsked("runs", marks?.run, (client) => client.runs.runs({ query: { limit: MOST } }))
  return (
    <section aria-label="Runs">
      <Shown asked={asked} what="The runs">
        {({ count, runs }) => {
          const sound = runs.flatMap(({ run }) => Run.isDamaged(run) ? [] : [run])
          const [earlier, later] = Comparable.pair(sound) ?? ["", ""]
          const before = chosen.get("before") ?? earlier
          const after = chosen.get("after") ?? later
          const opened = chosen.get("run") ?? ""
          const choice = (label: string, name: "before" | "after", value: string) => (
            <label>
              {label}
              <select value={value} onChange={({ currentTarget }) => Address.choose({ [name]: currentTarget.value })}>
                {value === "" ? <option value="">Choose a run</option> : null}
                {sound.map(({ id, recordedAt }) => <option key={id} value={id}>{times.bound(recordedAt)}, {id}
                </option>)}
              </select>
            </label>
          )
          return (
            <>
              <p class="note">
                {Text.counted(count, "run")}
                {count > runs.length ? `; the last ${Text.count(runs.length)} are shown` : ""}
              </p>
              {opened === "" ? null : <RunOutcomes key={opened} run={opened} chosen={chosen} />}
              {sound.length < 2 ? null : (
                <section class="card" aria-label="What changed">
                  <div class="filters">
                    {choice("What changed from", "before", before)}
                    {choice("to", "after", after)}
                  </div>
                  {before === "" || after === ""
                    ? <p class="note">Choose two runs: none of them is about time of another one.</p>
                    : <RunDiff before={before} after={after} />}
                </section>
              )}
              {runs.length === 0 ?
                <p class="empty">No run was recorded yet.</p> :
                (
                  <ol class="cards-list">
                    {runs.map(({ run }) => (
                      <li key={run.id}>
                        <Card run={run} />
                      </li>
                    ))}
                  </ol>
                )}
            </>
          )
        }}
      </Shown>
    </section>
  )
}

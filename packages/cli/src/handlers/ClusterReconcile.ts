/** The work of `tallystick cluster reconcile`. */
import * as ArchiveReconciliation from "@tallystick/archive/ArchiveReconciliation"
import * as Job from "@tallystick/cluster/Job"
import type * as Question from "@tallystick/cluster/Question"
import * as Reconciling from "@tallystick/cluster/Reconciling"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as ArchiveRange from "../archive/ArchiveRange.ts"
import * as KnownAccounts from "../archive/KnownAccounts.ts"
import * as AskedQuestion from "../cluster/AskedQuestion.ts"
import * as ClusterPlace from "../cluster/ClusterPlace.ts"
import * as JobReport from "../cluster/JobReport.ts"
import * as JobText from "../cluster/JobText.ts"
import * as RunnerText from "../cluster/RunnerText.ts"
import * as Failure from "../Failure.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as BookFlags from "../flags/BookFlags.ts"
import * as FailOn from "../flags/FailOn.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as ReportFlags from "../flags/ReportFlags.ts"
import * as Output from "../output/Output.ts"
import * as ReportEnding from "../output/ReportEnding.ts"
import * as Stderr from "../terminal/Stderr.ts"
import * as ZonedTimes from "../text/ZonedTimes.ts"

interface Flags
  extends RangeFlags.Flags, ReportFlags.Flags, AskedQuestion.Flags, Pick<BookFlags.Flags, "declare" | "noCarry">
{
  readonly detach: boolean
  readonly failOn: Option.Option<string>
}

const kept = ArchivePlace.withReadArchive(ClusterPlace.NO_FILE)

const question = Effect.fnUntraced(function*(flags: Flags, asked: AskedRange.Asked) {
  const { accounts, ...told } = yield* AskedQuestion.read(flags)
  const known = accounts ?? (yield* KnownAccounts.read)
  const range = yield* ArchiveRange.bounded(asked, { accounts: known, policy: told.policy })
  if (!(yield* ArchiveReconciliation.wasRead(range))) {
    return yield* Failure.unfinished("the books stay as they are: nothing of this time was read or imported")
  }
  return {
    ...told,
    range,
    accounts: known,
    declare: flags.declare,
    carry: !flags.noCarry
  } satisfies Question.Question
})

/** Says what becomes of the job, until it has ended. */
const followed = (job: Job.Job) =>
  Effect.gen(function*() {
    const { follow, runners } = yield* Reconciling.Reconciling
    const there = yield* runners
    if (!Job.isEnded(job) && there.length === 0) {
      yield* Stderr.complain("no runner is there: the job waits until tallystick cluster runner starts one")
    }
    const lacking = RunnerText.lacking([job], there)
    if (lacking.length > 0) yield* Stderr.complain(...lacking)
    const last = yield* follow(job.id).pipe(
      Stream.tap((job) =>
        Job.isEnded(job) ? Effect.void : Stderr.say(`job ${JobText.nameOf(job)} ${JobText.saidOf(job)}`)
      ),
      Stream.runLast
    )
    return Option.getOrElse(last, () => job)
  }).pipe(
    Effect.onInterrupt(() =>
      Stderr.complain(
        `Interrupted. The job goes on: tallystick cluster status ${
          JobText.nameOf(job)
        } tells of it, and tallystick cluster cancel ` +
          `${JobText.nameOf(job)} ends it.`
      )
    )
  )

export const run = Effect.fnUntraced(function*(flags: Flags) {
  yield* ClusterPlace.location
  const failOn = yield* FailOn.parse(flags.failOn)
  yield* ReportFlags.formatOf(flags)
  yield* Output.readyIn(flags.out)
  const asked = yield* AskedRange.asked(flags)
  const { job, wanted } = yield* kept(
    Effect.gen(function*() {
      const { submit } = yield* Reconciling.Reconciling
      const wanted = yield* question(flags, asked)
      const job = yield* submit(wanted)
      yield* Stderr.say(
        `job ${JobText.nameOf(job)} reconciles what the archive keeps ${
          ZonedTimes.make(asked.zone).stretch(wanted.range)
        }`
      )
      return { job, wanted }
    }).pipe(
      Effect.catchTags({
        InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
      })
    )
  )
  if (flags.detach) return yield* Output.toStdout(Stream.make(`${job.id}\n`))
  const ended = yield* followed(job)
  const said = `job ${JobText.nameOf(ended)} ${JobText.saidOf(ended)}`
  if (ended.state !== "done" || ended.run === undefined) return yield* Failure.unfinished(said)
  yield* Stderr.say(said)
  const summary = yield* kept(
    JobReport.write({ ...flags, ...ClusterPlace.NO_FILE }, ended, wanted, asked.zone).pipe(
      Effect.catchTags({
        Ambiguous: ({ message }) => Effect.fail(Failure.unfinished(message)),
        InvalidRange: (error) => Effect.fail(Failure.fromRange(error))
      })
    )
  )
  return yield* ReportEnding.end(summary, { failOn, run: ended.run })
}, ClusterPlace.withJobs)

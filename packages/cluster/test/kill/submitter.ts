/** A submitter as a process of its own: it submits the question of the desk, says the id of the job, follows it, and says how it ended. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as Cluster from "../../src/Cluster.ts"
import * as Reconciling from "../../src/Reconciling.ts"
import * as Desk from "../support/Desk.ts"

const url = Redacted.make(process.env["DATABASE"] ?? "")
const question = { ...Desk.question, range: { ...Desk.question.range, to: Number(process.env["TO"]) } }
const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

Effect.runFork(
  Effect.gen(function*() {
    const jobs = yield* Reconciling.Reconciling
    yield* say("begins")
    const { id } = yield* jobs.submit(question).pipe(Desk.within({ _tag: "Postgres", url }))
    yield* say(id)
    yield* Stream.runDrain(jobs.follow(id))
    yield* say((yield* jobs.get(id)).state)
  }).pipe(Effect.provide(Reconciling.Reconciling.layer.pipe(Layer.provide(Cluster.client({ url })))))
)

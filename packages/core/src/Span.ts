/**
 * Makes spans that tell what happened, but not to which account, address or record.
 *
 * A span ends with an Exit that every exporter and custom Tracer sees. Results hold accounts, addresses and, for a new key, its
 * secret; messages of errors quote them. So these spans end with no value, or with the tag of the failure.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"

/** Carries all that a span says of a failure. */
class Failed extends Schema.TaggedError<Failed>("@tallystick/core/Span/Failed")("Failed", { type: Schema.String }) {
  override get message(): string {
    return this.type
  }
}

/** The tag of an error, or that of its reason: it is read by its form, so that a span brings no module of errors along. */
const tagOf = (error: unknown): string => {
  if (typeof error !== "object" || error === null || !("_tag" in error)) return "failure"
  if (error._tag === "BrokerError" && "reason" in error) return tagOf(error.reason)
  return typeof error._tag === "string" ? error._tag : "failure"
}

/**
 * Returns the tag of a failure. For a `BrokerError` it is that of its reason; an interruption is `interrupted`, and an unexpected
 * failure is `defect`.
 */
export const failureType = (cause: Cause.Cause<unknown>): string => {
  if (Cause.hasInterruptsOnly(cause)) return "interrupted"
  return Option.match(Cause.findErrorOption(cause), {
    onNone: () => "defect",
    onSome: tagOf
  })
}

const end = Effect.fnUntraced(function*(span: Tracer.Span, exit: Exit.Exit<unknown, unknown>) {
  const now = (yield* References.TracerTimingEnabled) ? yield* Clock.currentTimeNanos : 0n
  if (Exit.isSuccess(exit)) return span.end(now, Exit.void)
  const given = span.attributes.get("error.type")
  const type = typeof given === "string" ? given : failureType(exit.cause)
  if (type === "interrupted") return span.end(now, Exit.interrupt())
  if (given === undefined) span.attribute("error.type", type)
  return span.end(now, Exit.fail(new Failed({ type })))
})

/** Runs what `use` makes under a new span, which it may annotate; its own `error.type` is kept. */
export const use = <A, E, R>(
  name: string,
  options: Tracer.SpanOptionsNoTrace,
  use: (span: Tracer.Span) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
  Effect.acquireUseRelease(
    Effect.makeSpan(name, options),
    (span) => Effect.withParentSpan(use(span), span, { captureStackTrace: false }),
    end
  )

/** Runs an effect under a new span. */
export const within =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Tracer.ParentSpan>> =>
    use(name, options, () => self)

/** Runs a stream under a new span, from its first pull to its end. */
export const stream =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(self: Stream.Stream<A, E, R>): Stream.Stream<A, E, Exclude<R, Tracer.ParentSpan>> =>
    Stream.unwrap(
      Effect.map(
        Effect.makeSpan(name, options),
        (span) =>
          self.pipe(
            Stream.provideService(Tracer.ParentSpan, span),
            Stream.onExit((exit) => end(span, exit))
          )
      )
    )

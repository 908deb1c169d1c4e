/** Keeps every span as a custom Tracer would see it. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"

export interface Kept {
  readonly spans: ReadonlyArray<Tracer.NativeSpan>
  /** The only span of a name. */
  readonly one: (name: string) => Tracer.NativeSpan
  readonly all: (name: string) => ReadonlyArray<Tracer.NativeSpan>
}

/** Runs an effect and gives the spans beside its result. */
export const keeping = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const all = (name: string) => spans.filter((span) => span.name === name)
    const one = (name: string) => {
      const [span, second] = all(name)
      if (span === undefined || second !== undefined) throw new Error(`${all(name).length} spans are called ${name}`)
      return span
    }
    return Effect.map(
      Effect.withTracer(effect, tracer),
      (value) => ({ value, kept: { spans, one, all } satisfies Kept })
    )
  })

export const parentOf = (span: Tracer.Span): string | undefined =>
  Option.match(span.parent, {
    onNone: () => undefined,
    onSome: (parent) => parent._tag === "Span" ? parent.name : "external"
  })

/** How a span ended. */
export const exitOf = (span: Tracer.Span) => span.status._tag === "Ended" ? span.status.exit : undefined

/** Reads for one question at a time, for as long as nobody asks for something else. */
import type * as Effect from "effect/Effect"
import { useLayoutEffect, useRef } from "preact/hooks"
import type * as Failure from "./Failure.ts"
import { run } from "./useAsked.ts"

interface Reading {
  /** Reads; what was being read is given up without a word. */
  readonly begin: <A>(
    effect: Effect.Effect<A, Failure.Told>,
    done: (answer: { readonly value: A } | { readonly failure: Failure.Failure }) => void
  ) => void
  /** Gives up what is being read, if anything is. */
  readonly giveUp: () => void
}

/** What is being read is about `subject`: it is given up when that changes. `givenUp` hears that something was. */
export const useReading = (subject: string, givenUp: () => void): Reading => {
  const stop = useRef<() => void>(undefined)
  const hears = useRef(givenUp)
  hears.current = givenUp
  const giveUp = (): void => {
    if (stop.current === undefined) return
    stop.current()
    stop.current = undefined
    hears.current()
  }
  useLayoutEffect(() => giveUp, [subject])
  return {
    begin: (effect, done) => {
      stop.current?.()
      stop.current = run(effect, (answer) => {
        stop.current = undefined
        done(answer)
      })
    },
    giveUp
  }
}

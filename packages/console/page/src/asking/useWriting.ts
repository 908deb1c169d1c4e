/** Writes one thing at a time, and keeps what somebody typed until it is written. */
import type * as Effect from "effect/Effect"
import { useRef, useState } from "preact/hooks"
import { useDesk } from "../frame/Desk.ts"
import * as Failure from "./Failure.ts"
import { run } from "./useAsked.ts"

/** A session ends before a request is answered, never in the middle: a second request finds what is written, and is refused. */
const OVER = "Your session was over before all of it was written. Send it again: nothing is written twice."

export interface Writing {
  readonly isWriting: boolean
  /** Why the last one came to nothing. */
  readonly trouble: string | undefined
  /** Writes; where something is being written already it does nothing. */
  readonly write: <A>(effect: Effect.Effect<A, Failure.Told>, done: (value: A) => void) => void
  readonly forget: () => void
}

interface State {
  readonly isWriting: boolean
  readonly trouble?: string
}

export const useWriting = (): Writing => {
  const { failed } = useDesk()
  const [{ isWriting, trouble }, set] = useState<State>({ isWriting: false })
  const isBusy = useRef(false)
  return {
    isWriting,
    trouble,
    write: (effect, done) => {
      if (isBusy.current) return
      isBusy.current = true
      set({ isWriting: true })
      run(effect, (answer) => {
        isBusy.current = false
        if ("value" in answer) {
          set({ isWriting: false })
          done(answer.value)
          return
        }
        const { failure } = answer
        set({ isWriting: false, trouble: failure._tag === "Over" ? OVER : Failure.words(failure) })
        failed(failure)
      })
    },
    forget: () => set(({ isWriting }) => ({ isWriting }))
  }
}

/** Writes one thing at a time, and keeps what somebody typed until it is written. */
import type * as Effect from "effect/Effect"
import { useRef, useState } from "preact/hooks"
import { useDesk } from "../frame/Desk.ts"
import type * as Failure from "./Failure.ts"
import { run } from "./useAsked.ts"

/** What is sent again names the ledger that was seen the first time: what is written since by the same person is answered as it stands. */
const AGAIN = {
  Gone: "It is not known whether this was written. Sending it again writes nothing twice.",
  Over: "Your session was over before all of it was written. Send it again: nothing is written twice."
} as const

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
        set({ isWriting: false, trouble: failure._tag === "Refused" ? failure.message : AGAIN[failure._tag] })
        failed(failure)
      })
    },
    forget: () => set(({ isWriting }) => ({ isWriting }))
  }
}

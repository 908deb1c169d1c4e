/** The console: somebody signs in, and sees the screens until the session is over. */
import type * as Redacted from "effect/Redacted"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import * as Failure from "./asking/Failure.ts"
import { run } from "./asking/useAsked.ts"
import { Frame } from "./frame/Frame.tsx"
import * as Session from "./session/Session.ts"
import { SignIn, SignInAgain } from "./session/SignIn.tsx"

interface Props {
  /** The one-time token of the printed address, where the page was opened by it. */
  readonly token: Redacted.Redacted | undefined
}

type State =
  | { readonly _tag: "Entering" }
  | { readonly _tag: "Nobody"; readonly why: string | undefined }
  /** `over` says that the session is over: the screen is hidden, and is as it was when the same person signs in again. */
  | { readonly _tag: "Inside"; readonly session: Session.Session; readonly over: string | undefined }

const USED =
  "This address was opened before, or is not of this console. Start tallystick console again for another one."

/** How a session begins without anybody's doing: by the printed address, or because there is one already. */
const beginning = (token: Redacted.Redacted | undefined) =>
  token !== undefined ? Session.exchange(token) : Session.mayContinue() ? Session.continued : undefined

export const App = ({ token }: Props) => {
  const begins = beginning(token)
  const [state, set] = useState<State>(begins === undefined ? { _tag: "Nobody", why: undefined } : { _tag: "Entering" })
  const current = useRef<Session.Session>(undefined)
  const enter = useCallback((session: Session.Session) => {
    current.current = session
    set({ _tag: "Inside", session, over: undefined })
  }, [])
  const leave = useCallback((why: string | undefined) => {
    current.current = undefined
    Session.forget()
    set({ _tag: "Nobody", why })
  }, [])
  /** An answer to a session before says nothing of this one. */
  const end = useCallback((session: Session.Session, over: string) => {
    if (current.current !== session) return
    Session.forget()
    set({ _tag: "Inside", session, over })
  }, [])
  useEffect(() => {
    if (begins === undefined) return undefined
    return run(begins, (answer) => {
      if ("value" in answer) enter(answer.value)
      else if (answer.failure._tag !== "Over") set({ _tag: "Nobody", why: Failure.words(answer.failure) })
      else leave(token === undefined ? undefined : USED)
    })
  }, [])
  if (state._tag === "Nobody") return <SignIn key={state.why} why={state.why} enter={enter} />
  if (state._tag === "Entering") return <p class="empty" role="status">The session begins.</p>
  const { over, session } = state
  const { name } = session.person
  return (
    <>
      <div key={name} hidden={over !== undefined}>
        <Frame session={session} leave={leave} end={end} />
      </div>
      {over === undefined ? null : <SignInAgain why={over} enter={enter} name={name} />}
    </>
  )
}

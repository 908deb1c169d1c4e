/** Where somebody signs in: by name and token, or by the address that the console printed. */
import * as Redacted from "effect/Redacted"
import { useRef, useState } from "preact/hooks"
import * as Failure from "../asking/Failure.ts"
import { run } from "../asking/useAsked.ts"
import * as Session from "./Session.ts"

interface Props {
  /** Why nobody is signed in any more, where there was somebody. */
  readonly why: string | undefined
  readonly enter: (session: Session.Session) => void
}

export const SignIn = ({ enter, why }: Props) => {
  const [said, say] = useState(why)
  const [isAsking, setAsking] = useState(false)
  const names = useRef<HTMLInputElement>(null)
  const tokens = useRef<HTMLInputElement>(null)
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const token = tokens.current
    if (names.current === null || token === null) return
    const name = names.current.value.trim()
    setAsking(true)
    say(undefined)
    run(Session.login(name, Redacted.make(token.value, { label: "token" })), (answer) => {
      setAsking(false)
      if ("value" in answer) {
        enter(answer.value)
        return
      }
      token.select()
      say(answer.failure._tag === "Over" ? "No person of this name has this token." : Failure.words(answer.failure))
    })
  }
  return (
    <main class="sign-in">
      <form class="card" onSubmit={onSubmit} aria-labelledby="sign-in">
        <h1 id="sign-in">Sign in to Tallystick</h1>
        {said === undefined ? null : <p role="alert" class="trouble">{said}</p>}
        <label>
          Your name
          <input ref={names} name="name" autocomplete="username" required maxLength={200} autofocus />
        </label>
        <label>
          Your token
          <input ref={tokens} name="token" type="password" autocomplete="current-password" required maxLength={200} />
        </label>
        <button type="submit" class="button primary" disabled={isAsking}>{isAsking ? "Signing in" : "Sign in"}</button>
        <p class="note">
          At your own machine you need no token: start <code>tallystick console</code>{" "}
          again and open the address that it prints. Each address opens the console once.
        </p>
      </form>
    </main>
  )
}

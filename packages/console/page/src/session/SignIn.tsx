/** Where somebody signs in: by name and token, or by the address that the console printed. */
import * as Redacted from "effect/Redacted"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import * as Failure from "../asking/Failure.ts"
import { run } from "../asking/useAsked.ts"
import * as Session from "./Session.ts"

interface Props {
  /** Why nobody is signed in any more, where there was somebody. */
  readonly why: string | undefined
  readonly enter: (session: Session.Session) => void
  /** The name that is likely. */
  readonly name?: string
}

const Form = ({ enter, name = "", why }: Props) => {
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
    <form class="card" onSubmit={onSubmit} aria-labelledby="sign-in">
      <h1 id="sign-in">Sign in to Tallystick</h1>
      {said === undefined ? null : <p role="alert" class="trouble">{said}</p>}
      <label>
        Your name
        <input
          ref={names}
          name="name"
          autocomplete="username"
          required
          maxLength={200}
          defaultValue={name}
          autofocus={name === ""}
        />
      </label>
      <label>
        Your token
        <input
          ref={tokens}
          name="token"
          type="password"
          autocomplete="current-password"
          required
          maxLength={200}
          autofocus={name !== ""}
        />
      </label>
      <button type="submit" class="button primary" disabled={isAsking}>{isAsking ? "Signing in" : "Sign in"}</button>
      <p class="note">
        At your own machine you need no token: start <code>tallystick console</code>{" "}
        again and open the address that it prints. Each address opens the console once.
      </p>
    </form>
  )
}

export const SignIn = (props: Props) => (
  <main class="sign-in">
    <Form {...props} />
  </main>
)

/** Stands over a screen whose session is over; the focus goes back to where it was. Nothing leaves it but signing in. */
export const SignInAgain = (props: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    // Else Escape, pressed more than once, closes this one, and then a question below it.
    const stay = (event: KeyboardEvent): void => {
      if (event.key === "Escape") event.preventDefault()
    }
    addEventListener("keydown", stay, true)
    dialog.current?.showModal()
    return () => {
      removeEventListener("keydown", stay, true)
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement) before.focus()
      })
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class="sign-in again"
      aria-labelledby="sign-in"
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <Form {...props} />
    </dialog>
  )
}

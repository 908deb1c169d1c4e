/** Keys that the screen listens to, wherever the focus is, except where somebody writes or a dialog is open. */
import { useEffect, useRef } from "preact/hooks"

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>

const WRITING = "input, select, textarea"

/** Buttons and links have keys of their own. */
const PRESSED = new Set([" ", "Enter"])

/** For a frame the focus may stay in a dialog that is closed: nobody writes there. */
const CLOSED = "dialog:not([open])"

const isBusy = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest(CLOSED) === null &&
  (event.target.closest(WRITING) !== null ||
    (PRESSED.has(event.key) && event.target.closest("button, a, summary") !== null))

export const useKeys = (keys: Keys): void => {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return
      if (document.querySelector("dialog[open]") !== null) return
      const act = current.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act(event)
    }
    addEventListener("keydown", pressed)
    return () => removeEventListener("keydown", pressed)
  }, [])
}

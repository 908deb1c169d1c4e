/** A button that copies a text, and says so. Where the browser lets no page copy, it says that, too. */
import { useEffect, useState } from "preact/hooks"

interface Props {
  readonly text: string
  /** What is copied, for readers of screens: `the id of the deposit`. */
  readonly what: string
}

const said = { idle: "Copy", done: "Copied", refused: "Select it to copy" } as const

/** For so long the button says what it did, ms. */
const WHILE = 1600

export const Copy = ({ text, what }: Props) => {
  const [state, set] = useState<keyof typeof said>("idle")
  useEffect(() => {
    if (state === "idle") return undefined
    const timer = setTimeout(() => set("idle"), WHILE)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      set("done")
    } catch {
      set("refused")
    }
  }
  return (
    <button
      type="button"
      class="copy"
      onClick={(event) => {
        event.stopPropagation()
        void copy()
      }}
    >
      <span aria-live="polite">{said[state]}</span>
      <span class="unseen">{` ${what}`}</span>
    </button>
  )
}

/** Asks why, before something is decided about one item or many. */
import * as Decision from "@tallystick/archive/Decision"
import * as Text from "@tallystick/report/text/Text"
import { useState } from "preact/hooks"
import type { Writing } from "../asking/useWriting.ts"
import * as DecisionWords from "../decisions/DecisionWords.ts"
import type { Doing, Why } from "./Acts.ts"
import { Dialog } from "./Dialog.tsx"

const TITLES: Readonly<Record<Doing, string>> = { accept: "Accept", exclude: "Exclude", note: "Note on" }

const MEANS: Readonly<Record<Doing, string>> = {
  accept: "The break is known and explained. It opens again when anything of it changes.",
  exclude: "The entries are no business of this reconciliation.",
  note: "A note changes nothing."
}

interface Props {
  readonly doing: Doing
  readonly count: number
  /** What it is about, where it is one item. */
  readonly about: string | undefined
  readonly act: (why: Why) => void
  readonly writing: Pick<Writing, "isWriting" | "trouble">
  readonly close: () => void
}

export const ActDialog = ({ about, act, close, count, doing, writing: { isWriting, trouble } }: Props) => {
  const [reason, setReason] = useState<Decision.Reason | "">("")
  const [words, setWords] = useState("")
  const [provisional, setProvisional] = useState(false)
  return (
    <Dialog title={`${TITLES[doing]} ${Text.counted(count, "item")}`} close={close} trouble={trouble}>
      <form
        class="act"
        onSubmit={(event) => {
          event.preventDefault()
          act({ reason: reason === "" ? "other" : reason, words, provisional })
        }}
      >
        {about === undefined ? null : <p>{about}</p>}
        <p class="note">{MEANS[doing]}</p>
        {doing === "note" ? null : (
          <label>
            Reason
            <select
              required
              autofocus
              value={reason}
              onChange={({ currentTarget }) => {
                const found = Decision.Reason.literals.find((one) => one === currentTarget.value)
                setReason(found ?? "")
              }}
            >
              <option value="">Choose one</option>
              {Decision.Reason.literals.map((one) => <option key={one} value={one}>{DecisionWords.reasons[one]}
              </option>)}
            </select>
          </label>
        )}
        <label>
          In your words
          <input
            required
            pattern=".*\S.*"
            autofocus={doing === "note"}
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </label>
        {doing === "accept"
          ? (
            <label class="check">
              <input
                type="checkbox"
                checked={provisional}
                onChange={({ currentTarget }) => setProvisional(currentTarget.checked)}
              />
              Also accept what is not final yet
            </label>
          )
          : null}
        <p class="actions">
          <button type="submit" class="button primary" disabled={isWriting}>
            {isWriting ? "It is being written" : `${TITLES[doing]} ${Text.counted(count, "item")}`}
          </button>
          <button type="button" class="button" onClick={close}>Leave it</button>
        </p>
      </form>
    </Dialog>
  )
}

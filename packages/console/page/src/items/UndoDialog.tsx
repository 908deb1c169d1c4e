/** Takes back something that was decided in this session: a whole action, or some items of it. */
import * as Text from "@tallystick/report/text/Text"
import { useState } from "preact/hooks"
import type { Writing } from "../asking/useWriting.ts"
import type { Action } from "../frame/Desk.ts"
import { Dialog } from "./Dialog.tsx"

interface Props {
  /** The last one first. */
  readonly log: ReadonlyArray<Action>
  readonly undo: (decisions: readonly [number, ...Array<number>], words: string) => void
  readonly writing: Pick<Writing, "isWriting" | "trouble">
  readonly close: () => void
}

export const UndoDialog = ({ close, log, undo, writing: { isWriting, trouble } }: Props) => {
  const [chosen, choose] = useState<ReadonlySet<number>>(new Set(log[0]?.decisions.map(({ number }) => number)))
  const [words, setWords] = useState("It was a mistake.")
  const [first, ...rest] = [...chosen]
  return (
    <Dialog title="Take back what you decided in this session" close={close} trouble={trouble}>
      <form
        class="act"
        onSubmit={(event) => {
          event.preventDefault()
          if (first !== undefined) undo([first, ...rest], words)
        }}
      >
        {log.length === 0 ? <p class="empty">You decided nothing in this session that still holds.</p> : null}
        {log.map(({ decisions, words }) => (
          <fieldset key={decisions[0]?.number} class="candidates">
            <legend>{words}</legend>
            {decisions.map(({ about, number }) => (
              <label key={number} class="candidate">
                <input
                  type="checkbox"
                  checked={chosen.has(number)}
                  onChange={() => {
                    const next = new Set(chosen)
                    if (!next.delete(number)) next.add(number)
                    choose(next)
                  }}
                />
                <span>Decision {number}: {about}</span>
              </label>
            ))}
          </fieldset>
        ))}
        <label>
          Why, in your words
          <input
            required
            autofocus
            pattern=".*\S.*"
            value={words}
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </label>
        <p class="actions">
          <button type="submit" class="button primary" disabled={first === undefined || isWriting}>
            {isWriting ? "It is being written" : `Take back ${Text.counted(chosen.size, "decision")}`}
          </button>
          <button type="button" class="button" onClick={close}>Leave it</button>
        </p>
      </form>
    </Dialog>
  )
}

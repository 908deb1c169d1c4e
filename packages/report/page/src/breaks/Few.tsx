/** The beginning of a list that may be long, and a button for the rest. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import * as Text from "../../../src/text/Text.ts"
import { CountText } from "../components/CountText.tsx"

/** So many are shown at first. */
const FEW = 50

interface Props<A> {
  readonly items: ReadonlyArray<A>
  /** Whether all are shown at once: on paper. */
  readonly all: boolean
  readonly children: (item: A, index: number) => ComponentChildren
}

export function Few<A>({ all, children, items }: Props<A>) {
  const [whole, setWhole] = useState(all)
  const shown = whole ? items : items.slice(0, FEW)
  return (
    <>
      <ul>{shown.map(children)}</ul>
      {shown.length === items.length ?
        null :
        (
          <button type="button" class="button" onClick={() => setWhole(true)}>
            Show all <CountText text={Text.count(items.length)} />
          </button>
        )}
    </>
  )
}

/** What changed between two runs, entry by entry. */
import * as Text from "@tallystick/report/text/Text"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import { useAsked } from "../asking/useAsked.ts"
import { Shown } from "../frame/Shown.tsx"
import * as ItemWords from "../items/ItemWords.ts"

interface Props {
  readonly before: string
  readonly after: string
}

/** So many differences are shown. */
const SHOWN = 200

export const RunDiff = ({ after, before }: Props) => {
  const asked = useAsked(`diff ${before} ${after}`, 0, (client) => client.runs.diff({ params: { before, after } }))
  return (
    <Shown asked={asked} what="The differences">
      {({ differences }) => (
        <>
          <p role="status">
            {differences.length === 0
              ? "No entry that both are about changed."
              : `${Text.counted(differences.length, "entry", "entries")} changed${
                differences.length > SHOWN ? `; the first ${SHOWN} are shown` : ""
              }.`}
          </p>
          <ul class="history">
            {differences.slice(0, SHOWN).map(({ after, before, id, side }) => {
              const entry = after ?? before
              return entry === undefined ? null : (
                <li key={`${side} ${id}`}>
                  {side} of <AmountText amount={entry.amount} /> {Text.plain(entry.asset)},{" "}
                  <ShortId id={id} of={side} />{" "}
                  {before === undefined ? "was not there" : `was ${before.state} (${ItemWords.title(before.code)})`} and
                  {" "}
                  {after === undefined ? "is gone" : `is ${after.state} (${ItemWords.title(after.code)})`}
                </li>
              )
            })}
          </ul>
        </>
      )}
    </Shown>
  )
}

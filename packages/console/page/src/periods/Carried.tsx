/** What a close carried openly: the entries that waited when it was made. */
import * as Text from "@tallystick/report/text/Text"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import { useAsked } from "../asking/useAsked.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { ItemLink } from "../items/ItemLink.tsx"
import * as ItemWords from "../items/ItemWords.ts"

/** So many entries are shown at most. */
const SHOWN = 200

export const Carried = ({ number }: { readonly number: number }) => {
  const { times } = useDesk()
  // What a close carried never changes.
  const asked = useAsked(`carried ${number}`, 0, (client) => client.periods.carried({ params: { number } }))
  return (
    <Shown asked={asked} what="The entries that were carried">
      {({ entries }) => (
        <section aria-label="Carried openly">
          <p>
            {Text.counted(entries.length, "entry was", "entries were")} carried openly, as they stood then
            {entries.length > SHOWN ? `; the first ${SHOWN} are shown` : ""}.
          </p>
          <ul class="history">
            {entries.slice(0, SHOWN).map((entry) => (
              <li key={`${entry.side} ${entry.id}`}>
                {times.bound(entry.at)}: {entry.side} of <AmountText amount={entry.amount} /> {Text.plain(entry.asset)},
                {" "}
                <ShortId id={entry.id} of={entry.side} /> was {entry.state} ({ItemWords.title(entry.code)}).{" "}
                <ItemLink entry={entry.id} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </Shown>
  )
}

/** What the ledger refused, item by item, with the reason. */
import * as Text from "@tallystick/report/text/Text"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import type { Done } from "./Acts.ts"
import * as ItemWords from "./ItemWords.ts"

interface Props {
  readonly refused: ReadonlyArray<Done>
  readonly now: number
}

export const Outcomes = ({ now, refused }: Props) =>
  refused.length === 0 ? null : (
    <ul class="trouble refused" role="alert">
      {refused.map(({ item, refused = "" }) => (
        <li key={item.id}>
          <strong>{ItemWords.spoken(item, now)}</strong> (<ShortId id={item.id} of="item" />): {Text.plain(refused)}
        </li>
      ))}
    </ul>
  )

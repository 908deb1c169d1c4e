/** What the ledger refused, item by item, with the reason. */
import * as Text from "@tallystick/report/text/Text"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import type { Done } from "./Acts.ts"

export const Outcomes = ({ refused }: { readonly refused: ReadonlyArray<Done> }) =>
  refused.length === 0 ? null : (
    <ul class="trouble refused" role="alert">
      {refused.map(({ item, refused = "" }) => (
        <li key={item.id}>
          <ShortId id={item.id} of="item" /> {Text.plain(refused)}
        </li>
      ))}
    </ul>
  )

/** What the books do not know: records that could not be read, and time that was not read. It is counted, and has no amount. */
import * as Text from "@tallystick/report/text/Text"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import { useDesk } from "../frame/Desk.ts"
import type { Read } from "./useItems.ts"

export const Unknowns = ({ unknowns }: { readonly unknowns: Read["withoutEntries"] }) => {
  const { times } = useDesk()
  if (unknowns.length === 0) return null
  return (
    <details class="unknowns">
      <summary>{Text.counted(unknowns.length, "thing")} that the books do not know</summary>
      <ul class="history">
        {unknowns.map((one) => (
          <li key={one.id}>
            {one._tag === "Gap"
              ? `${one.operation} from ${times.bound(one.from)} to ${times.bound(one.to)} were not all read`
              : `A ${one.record.side} could not be read`} <ShortId id={one.id} of="item" />
          </li>
        ))}
      </ul>
    </details>
  )
}

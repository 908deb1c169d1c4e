/** An id: beginning and end are shown, and all of it is copied. */
import { Copy } from "./Copy.tsx"

interface Props {
  readonly id: string
  /** What it names, for readers of screens: `deposit`. */
  readonly of: string
}

/** So many characters of either end are shown. */
const ENDS = 8

/** Ids up to this length are shown whole. */
const WHOLE = 24

export const ShortId = ({ id, of }: Props) => (
  <span class="id">
    <code>
      {id.length <= WHOLE ? id : (
        <>
          {id.slice(0, ENDS)}
          <span class="middle">{id.slice(ENDS, -ENDS)}</span>
          {id.slice(-ENDS)}
        </>
      )}
    </code>
    <Copy text={id} what={`the id of the ${of}`} />
  </span>
)

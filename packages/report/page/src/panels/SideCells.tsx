/** The cells of a row that tell the count and the sum of either side. */
import * as Text from "../../../src/text/Text.ts"
import { AmountText, type Fraction } from "../components/AmountText.tsx"
import { CountText } from "../components/CountText.tsx"

interface Side {
  readonly count: number
  readonly sum: string
}

interface Props {
  readonly deposits: Side
  readonly transfers: Side
  /** Room behind the points of either column. */
  readonly align: { readonly deposits: Fraction; readonly transfers: Fraction }
}

const Cells = ({ align, side, title }: { readonly side: Side; readonly title: string; readonly align: Fraction }) => (
  <>
    <td class="number counts" data-label={title}>
      <CountText text={Text.count(side.count)} />
    </td>
    <td class="number" data-label="their sum">
      <AmountText amount={side.sum} align={align} />
    </td>
  </>
)

export const SideCells = ({ align, deposits, transfers }: Props) => (
  <>
    <Cells side={deposits} title="Deposits" align={align.deposits} />
    <Cells side={transfers} title="Transfers" align={align.transfers} />
  </>
)

/** Ageing in money: how many items are of which age, and what they are worth. */
import * as Text from "../../text/Text.ts"
import type { Aged, Ageing, Index, Look } from "./Facts.ts"
import * as Frame from "./Frame.ts"
import { html, type Markup } from "./Markup.ts"
import * as Words from "./Words.ts"

const DAY = 86_400_000

const days = (ms: number): string => String(ms / DAY)

/** Names an age: `0–1 day`, `1–3 days`, `more than 30 days`. */
const age = ({ before, from }: Pick<Aged, "before" | "from">): string =>
  before === undefined
    ? `${days(from)} days and more`
    : `${days(from)}–${days(before)} ${before === DAY ? "day" : "days"}`

/** What has a worth is in the sum, so the column of what has none is there for as long as there is any. */
const columnsOf = ({ total: { unpriced } }: Ageing) => [
  { title: "Age" },
  { title: "Breaks", isNumber: true },
  { title: "Worth", isNumber: true },
  ...(unpriced === 0 ? [] : [{ title: "Of them without a worth", isNumber: true }]),
  { title: "Not decidable", isNumber: true }
]

const worth = ({ items, unpriced, worth, worthBound }: Omit<Aged, "before" | "from">, look: Look): Markup =>
  items === unpriced
    ? html``
    : html`<span title="${Words.exactWorth(worth, worthBound, look)}">${Words.worth(worth, worthBound, look)}</span>`

interface RowLook {
  readonly look: Look
  readonly hasUnpriced: boolean
  readonly isTotal: boolean
}

const row = (
  name: string,
  open: Omit<Aged, "before" | "from">,
  undetermined: number,
  { look, hasUnpriced, isTotal }: RowLook
): Markup =>
  html`<tr${isTotal ? html` class="total"` : undefined}><th scope="row">${name}</th><td class="number">${
    Text.count(open.items)
  }</td><td class="number">${worth(open, look)}</td>${
    hasUnpriced ? html`<td class="number">${open.unpriced === 0 ? "" : Text.count(open.unpriced)}</td>` : undefined
  }<td class="number">${Text.count(undetermined)}</td></tr>
`

const of = (open: Ageing, undetermined: Ageing, look: Look): Markup => {
  const of = { look, hasUnpriced: open.total.unpriced > 0 }
  return Frame.table("Ageing", columnsOf(open), [
    ...open.ages.map((one, index) =>
      row(age(one), one, undetermined.ages[index]?.items ?? 0, { ...of, isTotal: false })
    ),
    row("all", open.total, undetermined.total.items, { ...of, isTotal: true })
  ])
}

/** Says at which prices the worths are, and which assets have none. */
const prices = ({ open, pricedAt, withoutPrice }: Index, look: Look): Markup => {
  const { unpriced } = open.total
  const lacking = unpriced === 0 ?
    undefined :
    html` ${Text.counted(unpriced, "break")} ${unpriced === 1 ? "is" : "are"} in no sum: ${
      withoutPrice.length === 0
        ? "nobody can say what is missing"
        : `there is no price of ${Text.listed(withoutPrice)}, or nobody can say what is missing`
    }.`
  return pricedAt === undefined
    ? html`<p class="note">The books have no prices (<code>tallystick reconcile --archive --book --prices</code>), so that nothing is added up in one currency.</p>
`
    : html`<p class="note">Worths are at the prices of the books from ${Frame.moment(pricedAt, look)}.${lacking}</p>
`
}

/** Returns the section of the index. */
export const section = (index: Index, look: Look): Markup => {
  const { open, pending, undetermined } = index
  return Frame.section(
    "Ageing",
    html`${of(open, undetermined, look)}<p class="note">Ages count from the earliest entry of an item up to ${
      Frame.moment(open.at, look)
    }.${
      pending === 0
        ? undefined
        : ` Besides, ${Text.counted(pending, "item")} ${pending === 1 ? "is" : "are"} pending and may still settle.`
    }</p>
${prices(index, look)}`
  )
}

/** The list of items, of which only those near the view are in the page. Keys move along it, and the screen acts on the one that is active. */
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as Text from "@tallystick/report/text/Text"
import type { ComponentChildren } from "preact"
import { useEffect, useMemo } from "preact/hooks"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import { useWindowRows } from "../../../../report/page/src/components/WindowRows.ts"
import * as ItemWords from "./ItemWords.ts"
import { WorthText } from "./WorthText.tsx"

/** One of several things that stand beside each other; readers of screens hear a pause before it. */
const Fact = ({ children, kind = "" }: { readonly children: ComponentChildren; readonly kind?: string }) => (
  <span class={kind}>
    <span class="unseen">,{" "}</span>
    {children}
  </span>
)

interface RowProps {
  readonly item: ListedItem.ListedItem
  readonly index: number
  readonly count: number
  readonly now: number
  readonly currency: string | undefined
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onClick: (event: MouseEvent) => void
}

const Row = ({ count, currency, index, isActive, isSelected, item, now, onClick }: RowProps) => {
  const { amount, asset, bound } = ItemWords.amount(item)
  const entries = item.deposits + item.transfers
  return (
    <div
      role="option"
      id={`item-${item.id}`}
      data-index={index}
      class={`item${isActive ? " active" : ""}`}
      aria-selected={isSelected}
      aria-posinset={index + 1}
      aria-setsize={count}
      onClick={onClick}
    >
      <span class="tick" aria-hidden="true">{isSelected ? "✓" : ""}</span>
      <span class={`dot ${item.state === "open" ? "discrepancy" : item.state}`} aria-hidden="true" />
      <span class="title">{ItemWords.title(item.code)}</span>
      <span class="amounts">
        <span class="unseen">,{" "}</span>
        {bound}
        <AmountText amount={amount} /> {Text.plain(asset)}
      </span>
      <span class="about">
        {item.worth === undefined ? null : (
          <Fact kind="worth">
            worth <WorthText worth={item.worth} bound={item.difference?.bound ?? "exact"} currency={currency} />
          </Fact>
        )}
        <Fact kind="age">{ItemWords.age(item, now)}</Fact>
        {item.first.account === undefined ? null : <Fact kind="account">{Text.plain(item.first.account)}</Fact>}
        {entries === 1 ? null : <Fact>{Text.counted(entries, "entry", "entries")}</Fact>}
        <Fact>since execution {item.since}</Fact>
        {item.state === "open" ? null : <Fact kind="tag">{ItemWords.states[item.state]}</Fact>}
        {item.decided === "none" ? null : <Fact kind="tag good">{ItemWords.decided[item.decided]}</Fact>}
      </span>
    </div>
  )
}

interface Props {
  readonly items: ReadonlyArray<ListedItem.ListedItem>
  /** So many there are, also where not all were read. */
  readonly count: number
  readonly now: number
  /** The currency of worths, where it is known. */
  readonly currency: string | undefined
  readonly active: string | undefined
  readonly selected: ReadonlySet<string>
  readonly choose: (index: number, event: MouseEvent) => void
  readonly more: () => void
}

/** A guess at the height of a row, px. */
const ROW = 62

/** So many rows before the end more of them are read. */
const AHEAD = 100

export const ItemList = ({ active, choose, count, currency, items, more, now, selected }: Props) => {
  const keys = useMemo(() => items.map(({ id }) => id), [items])
  const rows = useWindowRows({ keys, estimate: ROW, covered: 0 })
  const place = active === undefined ? -1 : keys.indexOf(active)
  useEffect(() => {
    if (place >= 0) rows.reveal(place)
  }, [place])
  useEffect(() => {
    if (rows.end >= items.length - AHEAD || place >= items.length - AHEAD) more()
  }, [rows.end, place, items])
  return (
    <div
      id="items"
      class="list"
      role="listbox"
      aria-label="Items"
      aria-multiselectable="true"
      tabIndex={0}
      {...place >= rows.first && place <= rows.end ? { "aria-activedescendant": `item-${active}` } : {}}
    >
      <div ref={rows.body} role="presentation" class="body" style={{ height: `${rows.total}px` }}>
        <div ref={rows.rows} role="presentation" class="rows" style={{ transform: `translateY(${rows.offset}px)` }}>
          {items.slice(rows.first, rows.end + 1).map((item, place) => {
            const index = rows.first + place
            return (
              <Row
                key={item.id}
                item={item}
                index={index}
                count={Math.max(count, items.length)}
                now={now}
                currency={currency}
                isActive={item.id === active}
                isSelected={selected.has(item.id)}
                onClick={(event) => choose(index, event)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

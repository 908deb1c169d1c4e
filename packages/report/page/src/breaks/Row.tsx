/** One row of the list. */
import { useMemo } from "preact/hooks"
import type { Column } from "./Columns.tsx"
import type { Item } from "./Folding.ts"

interface Props {
  readonly item: Item
  readonly columns: ReadonlyArray<Column>
  /** Its number in the list, from 0. */
  readonly index: number
  readonly active: boolean
  readonly open: boolean
}

export const idOf = ({ line, type }: Item): string => `${type}-${line.place}`

/** Made anew only when something of it changed: rows are many, and scrolling is quick. */
export const Row = ({ active, columns, index, item, open }: Props) =>
  useMemo(
    () => (
      <div
        role="row"
        id={idOf(item)}
        class={`row line ${item.line.kind} level-${item.level}${open ? " open" : ""}${active ? " active" : ""}`}
        aria-rowindex={index + 2}
        aria-level={item.level}
        aria-expanded={open}
      >
        {columns.map(({ cell, name, numeric, title }) => {
          const content = cell(item)
          return (
            <div
              key={name}
              role="gridcell"
              class={`cell c-${name}${numeric ? " number" : ""}${content === "" ? " none" : ""}`}
              data-label={title}
            >
              {content}
            </div>
          )
        })}
      </div>
    ),
    [active, columns, index, item, open]
  )

/** One row of the list. */
import { useMemo } from "preact/hooks"
import type { Line } from "../Book.ts"
import type { Column } from "./Columns.tsx"

interface Props {
  readonly line: Line
  readonly columns: ReadonlyArray<Column>
  /** Its number in the list, from 0. */
  readonly index: number
  readonly top: number
  readonly height: number
  readonly active: boolean
  readonly open: boolean
}

export const idOf = ({ place }: Line): string => `outcome-${place}`

/** Made anew only when something of it changed: rows are many, and scrolling is quick. */
export const Row = ({ active, columns, height, index, line, open, top }: Props) =>
  useMemo(
    () => (
      <div
        role="row"
        id={idOf(line)}
        class={`row line ${line.kind}${open ? " open" : ""}${active ? " active" : ""}`}
        aria-rowindex={index + 2}
        aria-expanded={open}
        style={{ top: `${top}px`, height: `${height}px` }}
      >
        {columns.map(({ cell, name, numeric }) => (
          <div key={name} role="gridcell" class={`cell c-${name}${numeric ? " number" : ""}`}>{cell(line)}</div>
        ))}
      </div>
    ),
    [active, columns, height, index, line, open, top]
  )

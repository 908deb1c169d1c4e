/** A chart with its title, its key, and the same numbers as a table. */
import type { ComponentChildren } from "preact"
import { CountText } from "../components/CountText.tsx"

interface Key {
  readonly color: string
  readonly label: string
}

interface Props {
  readonly title: string
  readonly note?: string | undefined
  readonly keys?: ReadonlyArray<Key>
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  readonly wide?: boolean
  readonly children: ComponentChildren
}

export const Figure = ({ children, columns, keys = [], note, rows, title, wide = false }: Props) => (
  <figure class={wide ? "card wide" : "card"} aria-label={title}>
    <figcaption>
      <h3>{title}</h3>
      {keys.length === 0 ? null : (
        <ul class="key">
          {keys.map(({ color, label }) => (
            <li key={label}>
              <span class="swatch" style={{ background: color }} aria-hidden="true" />
              {label}
            </li>
          ))}
        </ul>
      )}
    </figcaption>
    {children}
    {note === undefined ? null : <p class="note">{note}</p>}
    <details class="numbers">
      <summary>
        Numbers<span class="unseen">of: {title}</span>
      </summary>
      <div class="scrolls" tabIndex={0} role="group" aria-label={`Numbers of: ${title}`}>
        <table>
          <thead>
            <tr>{columns.map((column) => <th key={column} scope="col">{column}</th>)}</tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, place) =>
                  place === 0 ? <th key={place} scope="row">{cell}</th> : (
                    <td key={place} class="number">
                      <CountText text={cell} />
                    </td>
                  )
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  </figure>
)

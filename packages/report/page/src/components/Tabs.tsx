/** Panels of which one is shown, and a row of buttons that choose it: the arrow keys, Home and End move along the row. */
import type { ComponentChildren } from "preact"
import { useId, useRef, useState } from "preact/hooks"

export interface Tab {
  readonly id: string
  readonly title: string
  /** Stands behind the title, such as the number of things in the panel. */
  readonly count?: string | undefined
  readonly panel: () => ComponentChildren
  /** Whether the panel keeps what was done in it, such as a filter, while another one is shown. */
  readonly keeps?: boolean
}

interface Props {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab>
  /** Whether all panels stand below each other, each with its title: on paper. */
  readonly all: boolean
}

const moves: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowRight: (place, last) => place === last ? 0 : place + 1,
  ArrowLeft: (place, last) => place === 0 ? last : place - 1,
  Home: () => 0,
  End: (_place, last) => last
}

export const Tabs = ({ all, label, tabs }: Props) => {
  const own = useId()
  const [chosen, choose] = useState(0)
  const buttons = useRef<Array<HTMLButtonElement | null>>([])
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = move(chosen, tabs.length - 1)
    choose(next)
    buttons.current[next]?.focus()
  }
  return (
    <>
      {all ? null : (
        <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ count, id, title }, place) => (
            <button
              key={id}
              ref={(button) => {
                buttons.current[place] = button
              }}
              type="button"
              role="tab"
              id={`${own}-${id}`}
              aria-selected={place === chosen}
              aria-controls={`${own}-${id}-panel`}
              tabIndex={place === chosen ? 0 : -1}
              onClick={() => choose(place)}
            >
              {title}
              {count === undefined ? null : <span class="count">{count}</span>}
            </button>
          ))}
        </div>
      )}
      {tabs.map(({ id, keeps = false, panel, title }, place) => {
        const isShown = all || place === chosen
        return (
          <div
            key={id}
            class="panel"
            id={`${own}-${id}-panel`}
            hidden={!isShown}
            {...(all ? { role: "group", "aria-label": title } : {
              role: "tabpanel",
              "aria-labelledby": `${own}-${id}`
            })}
          >
            {isShown || keeps ? panel() : null}
          </div>
        )
      })}
    </>
  )
}

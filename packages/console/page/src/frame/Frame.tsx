/** The frame around every screen: where one can go, the person, the zone, and whether the console is there. */
import * as Text from "@tallystick/report/text/Text"
import { useCallback, useEffect, useMemo, useState } from "preact/hooks"
import { Brand } from "../../../../report/page/src/components/Brand.tsx"
import * as Person from "../../../src/Person.ts"
import * as Failure from "../asking/Failure.ts"
import { run } from "../asking/useAsked.ts"
import { SCREENS } from "../Screens.ts"
import type { Session } from "../session/Session.ts"
import * as Address from "./Address.ts"
import { type Action, Desk } from "./Desk.ts"
import { useNews } from "./useNews.ts"
import * as Zone from "./Zone.ts"

interface Props {
  readonly session: Session
  /** Somebody signed out. */
  readonly leave: (why: undefined) => void
  /** The console ended the session. */
  readonly end: (session: Session, why: string) => void
}

export const Frame = ({ end, leave, session }: Props) => {
  const { client, person, readOnly } = session
  const address = Address.useAddress()
  const { choose, times, zone } = Zone.useZone()
  const failed = useCallback((failure: Failure.Failure) => {
    if (failure._tag === "Over") end(session, Failure.words(failure))
  }, [end, session])
  const { connection, marks } = useNews(client, failed)
  const [log, setLog] = useState<ReadonlyArray<Action>>([])
  const desk = useMemo(() => ({
    client,
    person,
    mayDecide: !readOnly && Person.allows(person.role, "decide"),
    mayApprove: !readOnly && Person.allows(person.role, "approve"),
    times,
    marks,
    connection,
    log,
    setLog,
    failed
  }), [client, person, readOnly, times, marks, connection, log, failed])
  const shown = SCREENS.find(({ id }) => id === address.screen) ?? SCREENS[0]
  useEffect(() => {
    document.title = `${shown.title} · Tallystick`
  }, [shown])
  const name = Text.plain(person.name)
  return (
    <Desk.Provider value={desk}>
      <a
        class="skip"
        href="#screen"
        onClick={(event) => {
          event.preventDefault()
          document.querySelector<HTMLElement>("#screen")?.focus()
        }}
      >
        Skip to the screen
      </a>
      <header class="frame">
        <Brand />
        <nav aria-label="Screens">
          {SCREENS.map(({ id, title }) => (
            <a key={id} href={`#/${id}`} {...(id === shown.id ? { "aria-current": "page" } : {})}>{title}</a>
          ))}
        </nav>
        <div class="person">
          <label>
            <span class="unseen">Zone of all times</span>
            <select value={zone} onChange={({ currentTarget }) => choose(currentTarget.value)}>
              {[...new Set([...Zone.OFFERED, zone])].map((one) => <option key={one} value={one}>{one}</option>)}
            </select>
          </label>
          <span title={`${name} may ${person.role}`}>
            {name} <span class="tag">{readOnly ? "read-only console" : person.role}</span>
          </span>
          <button
            type="button"
            class="button"
            onClick={() => run(client.session.logout(), () => leave(undefined))}
          >
            Sign out
          </button>
        </div>
      </header>
      <div aria-live="assertive">
        {connection.isHere ? null : <p class="trouble gone">{Failure.words({ _tag: "Gone" })}</p>}
      </div>
      <main id="screen" tabIndex={-1}>
        <h1 class="unseen">{shown.title}</h1>
        <shown.Screen key={shown.id} chosen={address.chosen} />
      </main>
    </Desk.Provider>
  )
}

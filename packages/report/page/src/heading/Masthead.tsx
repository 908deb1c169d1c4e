/** What the page is: whose report, of which time, in which zone, by which run. */
import { useContext } from "preact/hooks"
import * as Identity from "../../../src/Identity.ts"
import type { Facts } from "../../../src/internal/html/Facts.ts"
import * as Text from "../../../src/text/Text.ts"
import { Clock, zoneOf } from "../Clock.ts"
import { Brand } from "../components/Brand.tsx"
import { Copy } from "../components/Copy.tsx"

/** These facts are read at a glance; all of them stand in the scope of the report. */
const shown: ReadonlySet<string> = new Set(["Run", "Made", "Approved", "Closed"])

export const Masthead = ({ facts }: { readonly facts: Facts }) => {
  const times = useContext(Clock)
  return (
    <div class="masthead">
      <Brand />
      <p class="name">
        <bdi>{Text.plain(facts.title)}</bdi>
      </p>
      <dl class="identity">
        {Identity.facts(facts.summary, zoneOf(facts.zone)).filter(({ label }) => shown.has(label)).map((
          { label, text }
        ) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <bdi>{Text.plain(text)}</bdi>
              {label === "Run" ? <Copy text={text} what="the id of the run" /> : null}
            </dd>
          </div>
        ))}
        <div>
          <dt>All times</dt>
          <dd>{times.zone}</dd>
        </div>
      </dl>
    </div>
  )
}

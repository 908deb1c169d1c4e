/** What is shown of the items, and in which order: as the address has it, and as the console is asked. */
import * as BookState from "@tallystick/archive/BookState"
import * as ItemFilter from "@tallystick/archive/ItemFilter"
import * as ListedItem from "@tallystick/archive/ListedItem"
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Schema from "effect/Schema"

const isState = Schema.is(BookState.Waiting)
const isCode = Schema.is(Schema.Union([Outcome.Code, Schema.Literal(ItemFilter.UNREAD)]))
const isDecided = Schema.is(ListedItem.Decided)
const isBy = Schema.is(ItemFilter.By)

/** A search has so many characters at most. */
const LONGEST = 500

/** The filter; what the address has wrong is left out. */
export const filterOf = (chosen: URLSearchParams) => {
  const [state, code, decided] = [chosen.get("state") ?? "", chosen.get("code") ?? "", chosen.get("decided") ?? ""]
  const [asset, account] = [chosen.get("asset") ?? "", chosen.get("account") ?? ""]
  const text = (chosen.get("text") ?? "").slice(0, LONGEST)
  return {
    ...isState(state) ? { state: [state] } : {},
    ...isCode(code) ? { code: [code] } : {},
    ...isDecided(decided) ? { decided: [decided] } : {},
    ...asset === "" ? {} : { asset },
    ...account === "" ? {} : { account },
    ...text.trim() === "" ? {} : { text }
  }
}

export type Filter = ReturnType<typeof filterOf>

export const orderOf = (chosen: URLSearchParams) => {
  const by = chosen.get("by") ?? ""
  return { by: isBy(by) ? by : "worth", reversed: chosen.has("reversed") } as const
}

export type Order = ReturnType<typeof orderOf>

/** What waits: a list with a filter, one item in full, and all that a person decides about them, by keys or by hand. */
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as Text from "@tallystick/report/text/Text"
import type * as Effect from "effect/Effect"
import { useMemo, useRef, useState } from "preact/hooks"
import * as Failure from "../asking/Failure.ts"
import { useAsked } from "../asking/useAsked.ts"
import { useReading } from "../asking/useReading.ts"
import { useWriting } from "../asking/useWriting.ts"
import * as Address from "../frame/Address.ts"
import { type Action, useDesk } from "../frame/Desk.ts"
import { ActDialog } from "./ActDialog.tsx"
import * as Acts from "./Acts.ts"
import * as Chosen from "./Chosen.ts"
import { HelpDialog } from "./HelpDialog.tsx"
import { ItemDetails } from "./ItemDetails.tsx"
import { ItemFilters } from "./ItemFilters.tsx"
import { ItemList } from "./ItemList.tsx"
import * as ItemWords from "./ItemWords.ts"
import { Outcomes } from "./Outcomes.tsx"
import { PairDialog, type Pairing } from "./PairDialog.tsx"
import { UndoDialog } from "./UndoDialog.tsx"
import { Unknowns } from "./Unknowns.tsx"
import { type Read, readOn, useItems } from "./useItems.ts"
import { type Keys, useKeys } from "./useKeys.ts"

type Item = ListedItem.ListedItem

/** What is asked about before it is done. */
type Asking =
  | {
    readonly _tag: "Act"
    readonly doing: Acts.Doing
    readonly items: ReadonlyArray<Item>
    readonly head: Read["head"]
  }
  | { readonly _tag: "Pair"; readonly kind: Pairing; readonly item: Item; readonly head: Read["head"] }
  | { readonly _tag: "Undo"; readonly head: Read["head"] }
  | { readonly _tag: "Help" }

const GIVEN_UP = "Not all items of the filter were read: something else was asked meanwhile."

const DONE: Readonly<Record<Acts.Doing | Pairing, string>> = {
  accept: "Accepted",
  exclude: "Excluded",
  note: "Noted on",
  link: "Linked",
  forbid: "Kept apart"
}

interface Props {
  readonly chosen: URLSearchParams
}

export const ItemsScreen = ({ chosen }: Props) => {
  const { client, failed, log, marks, mayDecide, setLog } = useDesk()
  const version = `${marks?.ledger} ${marks?.rebuilt}`
  const filter = Chosen.filterOf(chosen)
  const order = Chosen.orderOf(chosen)
  const { failure, more, read } = useItems({ filter, order }, version)
  const summary = useAsked(
    `summary ${JSON.stringify(filter)}`,
    version,
    (client) => client.items.itemSummary({ query: filter })
  )
  const [active, activate] = useState<string | undefined>(chosen.get("item") ?? undefined)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const [asking, show] = useState<Asking>()
  const [done, tell] = useState<ReadonlyArray<Acts.Done>>([])
  const [said, say] = useState("")
  const writing = useWriting()
  const reading = useReading(JSON.stringify({ filter, order }), () => say(GIVEN_UP))
  const search = useRef<HTMLInputElement>(null)
  const anchor = useRef(0)
  const items = read?.items ?? []
  const now = useMemo(() => summary.value?.at ?? items[0]?.at ?? 0, [summary.value, items])
  const place = items.findIndex(({ id }) => id === active)
  const current = items[place]
  const opened = items.find(({ id }) => id === chosen.get("item"))
  const count = summary.value?.items ?? items.length

  const goTo = (place: number): void => {
    const item = items[Math.max(0, Math.min(items.length - 1, place))]
    if (item === undefined) return
    activate(item.id)
    if (opened !== undefined) Address.choose({ item: item.id })
  }
  const toggle = (from: number, to: number): void => {
    const next = new Set(selected)
    const range = items.slice(Math.min(from, to), Math.max(from, to) + 1)
    if (from === to && current !== undefined && next.delete(current.id)) return select(next)
    for (const { id } of range) next.add(id)
    select(next)
  }
  const ask = (question: Asking): void => {
    reading.giveUp()
    show(question)
  }
  const close = (): void => closeOnly(asking)
  /** Somebody may have gone on to another question meanwhile. */
  const closeOnly = (asked: Asking | undefined): void => {
    show((now) => now === asked ? undefined : now)
    writing.forget()
    document.querySelector<HTMLElement>("#items")?.focus()
  }
  /** What is meant: all that are selected; where none is, the active one. */
  const meant = items.filter(({ id }) => selected.has(id))
  const about = meant.length > 0 ? meant : current === undefined ? [] : [current]

  const refuse = (why: Failure.Failure): void => {
    failed(why)
    say(Failure.words(why))
  }
  const finish = (doing: Acts.Doing | Pairing, results: ReadonlyArray<Acts.Done>): void => {
    const decided = results.filter(({ refused }) => refused === undefined)
    tell(results.filter(({ refused }) => refused !== undefined))
    const words = `${DONE[doing]} ${Text.counted(decided.length, "item")}`
    const refused = results.length - decided.length
    say(refused === 0 ? `${words}.` : `${words}; ${Text.counted(refused, "item")} refused.`)
    const decisions = results.flatMap(({ decisions, item }) =>
      decisions.map((number) => ({ number, about: ItemWords.spoken(item, now) }))
    )
    if (decisions.length > 0) setLog((log) => [{ words, decisions }, ...log])
    const last = items.findLastIndex(({ id }) => results.some(({ item }) => item.id === id))
    select(new Set())
    if (doing !== "note") goTo(last + 1)
  }
  const decide = (doing: Acts.Doing | Pairing, effect: Effect.Effect<ReadonlyArray<Acts.Done>, Failure.Told>): void =>
    writing.write(effect, (results) => {
      closeOnly(asking)
      finish(doing, results)
    })
  const undo = (decisions: readonly [number, ...Array<number>], words: string, seen: Read["head"]): void =>
    writing.write(client.decisions.undo({ payload: { decisions, words, seen } }), ({ results }) => {
      closeOnly(asking)
      const back = new Set(decisions.filter((_, place) => results[place]?._tag === "Decided"))
      const refusals = results.flatMap((result) => result._tag === "Refused" ? [result.message] : [])
      setLog((log) =>
        log.flatMap((action): ReadonlyArray<Action> => {
          const left = action.decisions.filter(({ number }) => !back.has(number))
          return left.length === 0 ? [] : [{ ...action, decisions: left }]
        })
      )
      say([`Took back ${Text.counted(back.size, "decision")}.`, ...refusals].join(" "))
    })
  const begin = (doing: Acts.Doing, items: ReadonlyArray<Item> = about): void => {
    if (read !== undefined && items.length > 0) ask({ _tag: "Act", doing, items, head: read.head })
  }
  const pair = (kind: Pairing): void => {
    if (read !== undefined && current !== undefined) ask({ _tag: "Pair", kind, item: current, head: read.head })
  }
  const beginUndo = (): void => {
    if (read !== undefined) ask({ _tag: "Undo", head: read.head })
  }
  /** All of the filter, also what was not scrolled to: the items are those that are there when the count is shown. */
  const beginAll = (doing: Acts.Doing): void => {
    if (read === undefined) return
    if (read.next === undefined) return begin(doing, read.items)
    reading.begin(readOn(client, { filter, order }, Number.MAX_SAFE_INTEGER, read.next), (answer) => {
      if ("failure" in answer) return refuse(answer.failure)
      say("")
      begin(doing, [...read.items, ...answer.value.items])
    })
    say("All items of the filter are being read.")
  }

  const deciding: Keys = mayDecide
    ? {
      a: () => begin("accept"),
      x: () => begin("exclude"),
      n: () => begin("note"),
      l: () => pair("link"),
      f: () => pair("forbid"),
      u: beginUndo
    }
    : {}
  useKeys({
    ...deciding,
    j: () => goTo(place + 1),
    ArrowDown: () => goTo(place + 1),
    k: () => goTo(place - 1),
    ArrowUp: () => goTo(place - 1),
    Home: () => goTo(0),
    End: () => goTo(items.length - 1),
    Enter: () => {
      if (current === undefined) return
      Address.choose({ item: current.id })
      const before = document.activeElement
      requestAnimationFrame(() => {
        // A key that came meanwhile may have led elsewhere.
        if (document.activeElement === before) document.querySelector<HTMLElement>("#details")?.focus()
      })
    },
    Escape: () => {
      select(new Set())
      Address.choose({ item: "" })
      document.querySelector<HTMLElement>("#items")?.focus()
    },
    " ": ({ shiftKey }) => {
      if (place < 0) return
      toggle(shiftKey ? anchor.current : place, place)
      anchor.current = place
    },
    "/": () => search.current?.focus(),
    "?": () => ask({ _tag: "Help" })
  })

  return (
    <section class={`items${opened === undefined ? "" : " opened"}`} aria-label="Items">
      <div class="left">
        <ItemFilters chosen={chosen} summary={summary.value} search={search} />
        <div class="bar">
          <p class="count">
            {summary.value === undefined ? "" : Text.counted(summary.value.items, "item")}
            {selected.size === 0 ? "" : `, ${Text.count(selected.size)} chosen`}
          </p>
          {mayDecide
            ? (
              <p class="actions">
                <button type="button" class="button" disabled={about.length === 0} onClick={() => begin("accept")}>
                  Accept
                </button>
                <button type="button" class="button" disabled={current === undefined} onClick={() => pair("link")}>
                  Link
                </button>
                <button type="button" class="button" disabled={about.length === 0} onClick={() => begin("exclude")}>
                  Exclude
                </button>
                <button type="button" class="button" disabled={current === undefined} onClick={() => pair("forbid")}>
                  Forbid
                </button>
                <button type="button" class="button" disabled={about.length === 0} onClick={() => begin("note")}>
                  Note
                </button>
                <button type="button" class="button" disabled={items.length === 0} onClick={() => beginAll("accept")}>
                  Accept all of the filter
                </button>
                <button type="button" class="button" disabled={log.length === 0} onClick={beginUndo}>
                  Undo
                </button>
              </p>
            )
            : null}
          <button type="button" class="link" onClick={() => ask({ _tag: "Help" })}>Keys (?)</button>
        </div>
        <p class="said" role="status">{said}</p>
        <Outcomes refused={done} now={now} />
        {failure === undefined ? null : <p role="alert" class="trouble">{Failure.words(failure)}</p>}
        {read === undefined && failure === undefined
          ? <p class="empty" role="status">The items are being read.</p>
          : null}
        {read === undefined ? null : <Unknowns unknowns={read.withoutEntries} />}
        {read !== undefined && items.length === 0
          ? <p class="empty">{Object.keys(filter).length === 0 ? "Nothing waits." : "No item is so."}</p>
          : null}
        {items.length === 0 ? null : (
          <ItemList
            items={items}
            count={count}
            now={now}
            currency={summary.value?.prices?.currency}
            active={active}
            selected={selected}
            more={more}
            choose={(index, event) => {
              const item = items[index]
              if (item === undefined) return
              activate(item.id)
              if (event.shiftKey) toggle(anchor.current, index)
              else Address.choose({ item: item.id })
              anchor.current = index
            }}
          />
        )}
      </div>
      {opened === undefined
        ? null
        : <ItemDetails key={opened.id} item={opened} version={version} close={() => Address.choose({ item: "" })} />}
      {/* Each question has a dialog of its own: a browser tells a frame later that one was closed, and the next may be open by then. */}
      {asking?._tag === "Act"
        ? (
          <ActDialog
            key={asking}
            doing={asking.doing}
            count={asking.items.length}
            about={asking.items.length === 1 && asking.items[0] !== undefined
              ? ItemWords.spoken(asking.items[0], now)
              : undefined}
            act={(why) => decide(asking.doing, Acts.decide(client, asking.doing, why, asking.items, asking.head))}
            writing={writing}
            close={close}
          />
        )
        : null}
      {asking?._tag === "Pair"
        ? (
          <PairDialog
            key={asking}
            kind={asking.kind}
            item={asking.item}
            act={(others, why) =>
              decide(asking.kind, Acts.write(client, Acts.pairing(asking.kind, asking.item, others, why), asking.head))}
            writing={writing}
            close={close}
          />
        )
        : null}
      {asking?._tag === "Undo"
        ? (
          <UndoDialog
            key={asking}
            log={log}
            undo={(decisions, words) => undo(decisions, words, asking.head)}
            writing={writing}
            close={close}
          />
        )
        : null}
      {asking?._tag === "Help" ? <HelpDialog key={asking} close={close} /> : null}
    </section>
  )
}

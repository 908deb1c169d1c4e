/** The items of a filter, page by page as somebody scrolls; those that were read are read again when something changed. */
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as Effect from "effect/Effect"
import { useEffect, useRef, useState } from "preact/hooks"
import type * as Entries from "../../../src/internal/api/Entries.ts"
import type { Client } from "../asking/Client.ts"
import type { Failure } from "../asking/Failure.ts"
import { run } from "../asking/useAsked.ts"
import { useDesk } from "../frame/Desk.ts"
import type * as Chosen from "./Chosen.ts"

type WithoutEntries = typeof Entries.WithoutEntries.Type

interface Page {
  readonly items: ReadonlyArray<ListedItem.ListedItem>
  readonly withoutEntries: ReadonlyArray<WithoutEntries>
  /** Where the next page begins; undefined where all were read. */
  readonly next?: string | undefined
}

export interface Read extends Page {
  /** The end of the ledger, as it was before the items were read: whatever somebody decides later was not seen. */
  readonly head: typeof Entries.Head.Type
}

export interface Items {
  readonly read: Read | undefined
  readonly failure: Failure | undefined
  /** Reads on, if anything is left. */
  readonly more: () => void
}

const PAGE = 200

/** One page has so many at most. */
const LARGEST = 1000

interface Asking {
  readonly filter: Chosen.Filter
  readonly order: Chosen.Order
}

/** Reads so many items from behind a position. */
export const readOn = (client: Client, { filter, order }: Asking, wanted: number, after?: string) =>
  Effect.gen(function*() {
    const items: Array<ListedItem.ListedItem> = []
    const withoutEntries: Array<WithoutEntries> = []
    let next = after
    do {
      const page: Page = yield* client.items.items({
        query: {
          ...filter,
          ...order,
          limit: Math.min(LARGEST, Math.max(wanted - items.length, 1)),
          ...next === undefined ? {} : { after: next }
        }
      })
      items.push(...page.items)
      withoutEntries.push(...page.withoutEntries)
      next = page.next
    } while (next !== undefined && items.length < wanted)
    return { items, withoutEntries, next }
  })

const readAll = (client: Client, asking: Asking, wanted: number) =>
  Effect.gen(function*() {
    const { head } = yield* client.status.status()
    return { head, ...yield* readOn(client, asking, wanted) } satisfies Read
  })

interface Kept extends Omit<Items, "more"> {
  readonly question: string
}

export const useItems = (asking: Asking, version: unknown): Items => {
  const { client, connection, failed } = useDesk()
  const question = JSON.stringify(asking)
  const none: Kept = { question, read: undefined, failure: undefined }
  const [kept, keep] = useState(none)
  const shown = kept.question === question ? kept : none
  const reading = useRef<() => void>(undefined)
  const hear = (before: Read | undefined) => (answer: { readonly value: Read } | { readonly failure: Failure }) => {
    reading.current = undefined
    if ("failure" in answer) failed(answer.failure)
    keep({
      question,
      read: "value" in answer ? answer.value : before,
      failure: "failure" in answer ? answer.failure : undefined
    })
  }
  useEffect(() => {
    reading.current?.()
    const wanted = Math.max(PAGE, shown.read?.items.length ?? 0)
    reading.current = run(readAll(client, asking, wanted), hear(shown.read))
    return () => {
      reading.current?.()
      reading.current = undefined
    }
  }, [client, question, version, connection.times])
  return {
    read: shown.read,
    failure: shown.failure,
    more: () => {
      const { read } = shown
      if (read?.next === undefined || reading.current !== undefined) return
      const behind = Effect.map(readOn(client, asking, PAGE, read.next), ({ items, next, withoutEntries }) => ({
        head: read.head,
        items: [...read.items, ...items],
        withoutEntries: [...read.withoutEntries, ...withoutEntries],
        next
      }))
      reading.current = run(behind, hear(read))
    }
  }
}

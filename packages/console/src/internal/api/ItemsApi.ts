/** What waits in the books: page by page, and one item with its history. */
import * as ItemFilter from "@tallystick/archive/ItemFilter"
import * as ItemSummary from "@tallystick/archive/ItemSummary"
import * as ListedItem from "@tallystick/archive/ListedItem"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { ArchiveFailed, Impossible, NotFound } from "../../ConsoleError.ts"
import * as Access from "./Access.ts"
import { described, Id, limit, optional } from "./Described.ts"
import * as Entries from "./Entries.ts"

const filter = {
  state: optional(ItemFilter.ItemFilter.fields.states.schema, "Those in this state; may be repeated."),
  code: optional(ItemFilter.ItemFilter.fields.codes.schema, "Those of this code; may be repeated."),
  asset: optional(Schema.String, "Those with an entry of this asset."),
  account: optional(Schema.String, "Those with an entry of this account."),
  side: optional(ItemFilter.ItemFilter.fields.side.schema, "Those with an entry on this side."),
  olderThan: optional(Schema.Int, "Those whose age counts from a moment before this one, Unix ms."),
  youngerThan: optional(Schema.Int, "Those whose age counts from this moment or a later one, Unix ms."),
  leastDifference: optional(
    ItemFilter.ItemFilter.fields.leastDifference.schema,
    "Those whose difference is known and at least this, in whatever asset."
  ),
  leastWorth: optional(ItemFilter.ItemFilter.fields.leastWorth.schema, "Those whose worth is known and at least this."),
  decided: optional(
    ItemFilter.ItemFilter.fields.decided.schema,
    "Those about which people did this; may be repeated."
  ),
  text: optional(
    Schema.String.check(Schema.isMaxLength(500)),
    "Those that each word of this text names: by the beginning or end of an id, a transaction, an asset or an account, or by an amount."
  )
}

const items = HttpApiEndpoint.get("items", "/api/items", {
  query: {
    ...filter,
    by: optional(ItemFilter.By, "By what they are sorted. Default: `age`, the oldest first."),
    reversed: optional(Schema.Boolean, "The last one comes first. Default: false."),
    after: optional(Schema.String.check(Schema.isMaxLength(2000)), "`next` of the page before, in the same order."),
    limit: limit(1000, 100)
  },
  success: Schema.Struct({
    withoutEntries: Schema.Array(Entries.WithoutEntries).annotateKey({
      description: "What the books do not know, and the filter shows. It comes before all items."
    }),
    items: Schema.Array(ListedItem.ListedItem),
    next: optional(Schema.String, "`after` of the next page; absent on the last one.")
  }).annotate({ identifier: "ItemPage" }),
  error: [ArchiveFailed, Impossible]
}).annotate(Access.Needed, "read").annotateMerge(described(
  "List what waits",
  "Filtered, searched and sorted by the archive. An item that stays is in one page, whatever others write meanwhile."
))

const summary = HttpApiEndpoint.get("itemSummary", "/api/items/summary", {
  query: filter,
  success: Schema.Struct({
    ...ItemSummary.ItemSummary.fields,
    prices: Schema.NullOr(Schema.Struct({
      execution: Schema.Int,
      at: Schema.Int,
      currency: Schema.optionalKey(Schema.String)
    })).annotateKey({
      description: "The prices at which items are worth what they are worth; null where there are none."
    })
  }),
  error: [ArchiveFailed, Impossible]
}).annotate(Access.Needed, "read").annotateMerge(
  described("Count what waits", "By age, state, code and decision, with sums by asset.")
)

const item = HttpApiEndpoint.get("item", "/api/items/:id", {
  params: { id: Id },
  success: Schema.Struct({
    stories: Schema.Array(Entries.Story).annotateKey({ description: "Its entries, each with all that became of it." }),
    head: Entries.Head.annotateKey({ description: "The end of the ledger, to be sent along when somebody decides." })
  }).annotate({ identifier: "Item" }),
  error: [ArchiveFailed, NotFound]
}).annotate(Access.Needed, "read").annotateMerge(
  described(
    "Tell an item, entry by entry",
    "By the beginning of its id, or of the id of an outcome; 50 entries at most."
  )
)

export class ItemsApi extends HttpApiGroup.make("items")
  .add(items, summary, item)
  .middleware(Access.SignedIn)
  .middleware(Access.Answers)
  .annotateMerge(OpenApi.annotations({ title: "Items", description: "What waits in the books." }))
{}

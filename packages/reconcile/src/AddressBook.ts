/** The address book: it says which sub-account a deposit address belongs to. */
import * as DepositAddress from "@tallystick/core/DepositAddress"
import * as Schema from "effect/Schema"
import * as Digest from "./internal/report/Digest.ts"

/** One address. */
export class Address extends Schema.Opaque<Address>()(
  Schema.Struct({
    /** Where deposits arrive; `address:memo` is read as both. */
    address: Schema.NonEmptyString.annotateKey({
      description: "Where deposits arrive; `address:memo` is read as both."
    }),
    /** Without it, the address holds for all memos. */
    memo: Schema.optionalKey(Schema.String).annotateKey({
      description: "Without it, the address holds for all memos."
    }),
    /** Without it, the address holds on all networks. */
    network: Schema.optionalKey(Schema.String).annotateKey({
      description: "Without it, the address holds on all networks."
    }),
    /** The sub-account whose address it is. */
    account: Schema.NonEmptyString.annotateKey({ description: "The sub-account whose address it is." })
  }).annotate({ identifier: "DepositAddressEntry" })
) {}

/** A list of deposit addresses, each with the sub-account to which it belongs. */
export const AddressBook = Schema.Array(Address).annotate({
  title: "Address book",
  description: "The file of `--addresses` in its JSON form: whose a deposit address is."
})
export type AddressBook = typeof AddressBook.Type

/** Finds the account of a destination. Returns `undefined` when the book does not know it, or names several accounts. */
export type Lookup = (address: string, memo?: string, network?: string) => string | undefined

/** Indexes a book. Entries that name a memo or a network are tried before those that name none. */
export const lookup = (book: AddressBook): Lookup => {
  const byAddress = new Map<string, Array<Address>>()
  for (const entry of book) {
    for (const address of new Set([entry.address, DepositAddress.make(entry.address, entry.memo).address])) {
      const known = byAddress.get(address)
      if (known === undefined) byAddress.set(address, [entry])
      else known.push(entry)
    }
  }
  const memoOf = (entry: Address): string | undefined => {
    const { memo } = DepositAddress.make(entry.address, entry.memo)
    return entry.memo === undefined && memo === "" ? undefined : memo
  }
  return (address, memo, network) => {
    const destination = DepositAddress.make(address, memo)
    const known = [...(byAddress.get(address) ?? []), ...(byAddress.get(destination.address) ?? [])]
    let best = -1
    let accounts = new Set<string>()
    for (const entry of known) {
      const wanted = memoOf(entry)
      if (wanted !== undefined && wanted !== destination.memo) continue
      if (entry.network !== undefined && entry.network !== network) continue
      const weight = (wanted === undefined ? 0 : 2) + (entry.network === undefined ? 0 : 1)
      if (weight < best) continue
      if (weight > best) accounts = new Set()
      best = weight
      accounts.add(entry.account)
    }
    const [account] = accounts
    return accounts.size === 1 ? account : undefined
  }
}

/** Returns 16 hex digits that tell two address books apart, whatever their order, as a report has them; no protection against anybody. */
export const digest = (book: AddressBook): string =>
  Digest.ofTexts(book.map(({ account, address, memo, network }) => JSON.stringify([address, memo, network, account])))

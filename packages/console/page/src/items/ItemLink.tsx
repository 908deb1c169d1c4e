/** Leads from an entry to the item in which it waits. */
interface Props {
  /** The id of the entry. */
  readonly entry: string
}

export const ItemLink = ({ entry }: Props) => (
  <a href={`#/items?${new URLSearchParams({ text: entry }).toString()}`}>Look for it in Items</a>
)

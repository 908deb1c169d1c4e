/** The books that the run brought forward: what became of them, their roll-forward and its worth, and what waits longest. */
import type * as Report from "@tallystick/reconcile/Report"
import * as BookRows from "../../../src/internal/content/BookRows.ts"
import * as WorthRows from "../../../src/internal/content/WorthRows.ts"
import * as Text from "../../../src/text/Text.ts"
import { AmountText, widest } from "../components/AmountText.tsx"
import { CountText } from "../components/CountText.tsx"
import { ShortId } from "../components/ShortId.tsx"
import { SideCells } from "./SideCells.tsx"

const RollForward = ({ blocks }: { readonly blocks: ReadonlyArray<BookRows.Block> }) => {
  const rows = blocks.flatMap(({ rows }) => rows)
  const align = {
    deposits: widest(rows.map(({ deposits }) => deposits.sum)),
    transfers: widest(rows.map(({ transfers }) => transfers.sum))
  }
  return (
    <div class="card scrolls" role="group" aria-label="Roll-forward" tabIndex={0}>
      <table class="totals forward stacks">
        <thead>
          <tr>
            <th scope="col">Asset</th>
            <td />
            <th scope="col" class="counts">Deposits</th>
            <th scope="col">sum</th>
            <th scope="col" class="counts">Transfers</th>
            <th scope="col">sum</th>
          </tr>
        </thead>
        {blocks.map(({ asset, rows, state }) => (
          <tbody key={`${state} ${asset}`}>
            {rows.map(({ deposits, label, transfers }, index) => (
              <tr key={label} class={label.replaceAll(" ", "-")}>
                {index > 0 ? null : (
                  <th scope="rowgroup" class="asset" rowSpan={rows.length}>
                    {Text.plain(asset)}, {state}
                  </th>
                )}
                <th scope="row">{label}</th>
                <SideCells deposits={deposits} transfers={transfers} align={align} />
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

const Worth = ({ books, worth }: { readonly books: Report.Books; readonly worth: Report.RollForwardWorth }) => {
  const blocks = WorthRows.blocks(books)
  const lacking = WorthRows.lacking(worth, Text.plain)
  const rows = blocks.flatMap(({ rows }) => rows)
  const align = {
    deposits: widest(rows.map(({ deposits }) => deposits)),
    transfers: widest(rows.map(({ transfers }) => transfers))
  }
  return (
    <>
      <h3 id="worth">Worth of the roll-forward{WorthRows.inCurrency(worth)}</h3>
      {blocks.length === 0 ? null : (
        <div class="card scrolls" role="group" aria-labelledby="worth" tabIndex={0}>
          <table class="totals forward worth stacks">
            <thead>
              <tr>
                <th scope="col">Asset</th>
                <td />
                <th scope="col">Deposits</th>
                <th scope="col">Transfers</th>
              </tr>
            </thead>
            {blocks.map((block) => (
              <tbody key={`${block.state} ${block.asset ?? ""}`}>
                {block.rows.map(({ deposits, label, transfers }, index) => (
                  <tr key={label} class={label.replaceAll(" ", "-")}>
                    {index > 0 ? null : (
                      <th scope="rowgroup" class="asset" rowSpan={block.rows.length}>
                        {WorthRows.title(block, Text.plain)}
                      </th>
                    )}
                    <th scope="row">{label}</th>
                    <td class="number" data-label="Deposits">
                      <AmountText amount={deposits} align={align.deposits} />
                    </td>
                    <td class="number" data-label="Transfers">
                      <AmountText amount={transfers} align={align.transfers} />
                    </td>
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
      {blocks.length === 0 ? null : <p class="note">{WorthRows.LEGEND}</p>}
      {lacking === undefined ? null : <p class="note">{lacking}</p>}
    </>
  )
}

interface Props {
  readonly books: Report.Books
  /** The last reading, Unix ms, up to which ages count. */
  readonly asOf: number | null
}

const Oldest = ({ asOf, books }: Props) => {
  const { oldest } = books.carried
  const more = BookRows.more(books, oldest.length)
  return (
    <>
      <h3 id="waits">What waits longest</h3>
      <div class="card scrolls" role="group" aria-labelledby="waits" tabIndex={0}>
        <table class="waits stacks">
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Age</th>
              <th scope="col">Code</th>
              <th scope="col">Entries</th>
            </tr>
          </thead>
          <tbody>
            {oldest.map((item) => (
              <tr key={item.id}>
                <td data-label="Item">
                  <ShortId id={item.id} of="item" />
                </td>
                <td data-label="Age" class="number">{BookRows.age(item, asOf)}</td>
                <td data-label="Code">{BookRows.code(item)}</td>
                <td data-label="Entries">{Text.plain(BookRows.members(item))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more === undefined ? null : <p class="note">{more}</p>}
    </>
  )
}

export const Books = ({ asOf, books }: Props) => {
  const blocks = BookRows.blocks(books)
  return (
    <section aria-labelledby="books">
      <h2 id="books">Books</h2>
      <ul class="told">
        {BookRows.sentences(books).map((sentence) => (
          <li key={sentence}>
            <CountText text={sentence} />
          </li>
        ))}
        <li>
          Execution {books.execution.number} brought the books forward, and the ledger ends with it:{" "}
          <code>{`${books.execution.number}@${books.execution.id}`}</code>.
        </li>
      </ul>
      {blocks.length === 0 ? null : <RollForward blocks={blocks} />}
      {blocks.length === 0 ? null : <p class="note">{BookRows.LEGEND}</p>}
      {books.worth === undefined ? null : <Worth books={books} worth={books.worth} />}
      {books.carried.oldest.length === 0 ? null : <Oldest asOf={asOf} books={books} />}
    </section>
  )
}

/** The controls above the list. */
import * as Report from "@tallystick/reconcile/Report"
import { useMemo } from "preact/hooks"
import * as CountTitle from "../../../src/internal/content/CountTitle.ts"
import * as LeftOut from "../../../src/internal/content/LeftOut.ts"
import * as Text from "../../../src/text/Text.ts"
import type { Book } from "../Book.ts"
import { ageText } from "../charts/AgeingChart.tsx"
import { spaced } from "../components/CountText.tsx"
import { everything, type Filter, type Group, inGroup } from "./Filtering.ts"

const groups: ReadonlyArray<readonly [Group, string]> = [
  ["attention", "What needs attention"],
  ["discrepancy", "Breaks"],
  ["undetermined", "Not decidable"],
  ["pending", "Pending"],
  ["set-aside", "Set aside"],
  ["matched", "Matched"],
  ["all", "Everything"]
]

interface ChoiceProps<A extends string> {
  readonly label: string
  readonly value: A
  readonly choices: ReadonlyArray<readonly [value: A, label: string]>
  readonly onChoose: (value: A) => void
}

const Choice = <A extends string>({ choices, label, onChoose, value }: ChoiceProps<A>) => (
  <label>
    <span>{label}</span>
    <select
      value={value}
      onChange={({ currentTarget }) => {
        const chosen = choices[currentTarget.selectedIndex]
        if (chosen !== undefined) onChoose(chosen[0])
      }}
    >
      {choices.map(([choice, text]) => <option key={choice} value={choice}>{text}</option>)}
    </select>
  </label>
)

interface Props {
  readonly book: Book
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
  /** Whether the choices fold away behind the search. */
  readonly narrow: boolean
}

/** The counts of a group, without what a person accepted where that needs no attention or is left out. */
const counted = ({ facts: { carries, summary }, lines }: Book, group: Group): ReadonlyArray<Report.Count> => {
  const leftOut = LeftOut.ofCode(carries)
  const codes = new Set(lines.filter((line) => inGroup(line, group)).map(({ code }) => code))
  return summary.counts
    .filter(({ code }) => codes.has(code))
    .map((count) => group === "attention" || leftOut(count.code) > 0 ? Report.withoutAccepted(count) : count)
}

export const Filters = ({ book, filter, narrow, onFilter }: Props) => {
  const { ageing, asOf } = book.facts.summary
  const change = (changes: Partial<Filter>) => onFilter({ ...filter, ...changes })
  const assets = useMemo(() => Array.from(new Set(book.lines.flatMap((line) => line.assets))).toSorted(), [book])
  const accounts = useMemo(
    () => Array.from(new Set(book.lines.flatMap((line) => line.accounts))).toSorted().slice(0, 2000),
    [book]
  )
  const numbers = useMemo(
    () =>
      groups.map(([group, label]) => {
        const found = book.lines.reduce((sum, line) => sum + (inGroup(line, group) ? 1 : 0), 0)
        return [group, `${label} (${spaced(found)})`] as const
      }),
    [book]
  )
  const codes = useMemo(() => counted(book, filter.group), [book, filter.group])
  const choices = (
    <>
      <Choice
        label="Show"
        value={filter.group}
        choices={numbers}
        onChoose={(group) => change({ group, code: "" })}
      />
      <Choice
        label="Code"
        value={filter.code}
        choices={[
          ["", "any"],
          ...codes.map((count) => [count.code, `${count.code}: ${CountTitle.of(count, spaced)}`] as const)
        ]}
        onChoose={(code) => change({ code })}
      />
      <Choice
        label="Asset"
        value={filter.asset}
        choices={[
          ["", "any"],
          ...assets.map((asset) => [asset, Text.plain(asset) || "none"] as const).filter(([asset]) => asset !== "")
        ]}
        onChoose={(asset) => change({ asset })}
      />
      <label>
        <span>Account</span>
        <input
          list="accounts"
          value={filter.account}
          placeholder="any"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => change({ account: currentTarget.value })}
        />
        <datalist id="accounts">{accounts.map((name) => <option key={name} value={name} />)}</datalist>
      </label>
      {asOf === null || ageing.length === 0 ? null : (
        <Choice
          label="Age"
          value={String(filter.age)}
          choices={[["-1", "any"], ...ageing.map((age, index) => [String(index), ageText(age)] as const)]}
          onChoose={(age) => change({ age: Number(age) })}
        />
      )}
      <button
        type="button"
        class="button"
        disabled={JSON.stringify(filter) === JSON.stringify(everything)}
        onClick={() => onFilter(everything)}
      >
        Reset
      </button>
    </>
  )
  return (
    <form
      class="filters"
      role="search"
      aria-label="Filter the outcomes"
      onSubmit={(event) => event.preventDefault()}
    >
      <label class="search">
        <span>Search</span>
        <input
          type="search"
          value={filter.search}
          placeholder="id, reference, account, amount, memo, words"
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        />
      </label>
      {narrow
        ? (
          <details class="more">
            <summary>Filter</summary>
            <div class="filters">{choices}</div>
          </details>
        )
        : choices}
    </form>
  )
}

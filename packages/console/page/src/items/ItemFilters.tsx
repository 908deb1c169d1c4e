/** What is shown of the items: all of it stands in the address. */
import type * as ItemSummary from "@tallystick/archive/ItemSummary"
import * as Text from "@tallystick/report/text/Text"
import type { RefObject } from "preact"
import * as Address from "../frame/Address.ts"
import * as ItemWords from "./ItemWords.ts"

const ORDERS = {
  worth: "most worth first",
  difference: "greatest difference first",
  age: "oldest first",
  since: "longest in the books first",
  account: "by account",
  code: "by kind"
} as const

interface ChoiceProps {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, words: string]>
}

const Choice = ({ label, name, options, value }: ChoiceProps) => (
  <label>
    {label}
    <select value={value} onChange={({ currentTarget }) => Address.choose({ [name]: currentTarget.value, item: "" })}>
      <option value="">All</option>
      {value === "" || options.some(([one]) => one === value)
        ? null
        : <option value={value}>{Text.plain(value)}</option>}
      {options.map(([value, words]) => <option key={value} value={value}>{words}</option>)}
    </select>
  </label>
)

interface TextProps {
  readonly label: string
  readonly name: string
  readonly value: string
}

const TextChoice = ({ label, name, value }: TextProps) => (
  <label>
    {label}
    <input
      value={value}
      onChange={({ currentTarget }) => Address.choose({ [name]: currentTarget.value.trim(), item: "" })}
    />
  </label>
)

interface Props {
  readonly chosen: URLSearchParams
  readonly summary: ItemSummary.ItemSummary | undefined
  readonly search: RefObject<HTMLInputElement | null>
}

export const ItemFilters = ({ chosen, search, summary }: Props) => {
  const value = (name: string): string => chosen.get(name) ?? ""
  const states = ["open", "pending", "undetermined"] as const
  const decided = ["none", "noted", "proposed", "decided"] as const
  return (
    <div class="filters" role="search">
      <label class="search">
        Search by id, transaction, account, asset or amount
        <input
          ref={search}
          type="search"
          value={value("text")}
          onInput={({ currentTarget }) => Address.choose({ text: currentTarget.value, item: "" })}
          onKeyDown={({ currentTarget, key }) => {
            if (key === "Enter" || key === "Escape") currentTarget.blur()
          }}
        />
      </label>
      <Choice
        label="State"
        name="state"
        value={value("state")}
        options={states.map((one) => [one, ItemWords.states[one]])}
      />
      <Choice
        label="Kind"
        name="code"
        value={value("code")}
        options={(summary?.codes ?? []).map((
          { code, items }
        ) => [code, `${ItemWords.title(code)} (${Text.count(items)})`])}
      />
      <Choice
        label="Decided"
        name="decided"
        value={value("decided")}
        options={decided.map((one) => [one, ItemWords.decided[one]])}
      />
      <TextChoice label="Asset" name="asset" value={value("asset")} />
      <TextChoice label="Account" name="account" value={value("account")} />
      <label>
        Order
        <select
          value={value("by") || "worth"}
          onChange={({ currentTarget }) => Address.choose({ by: currentTarget.value })}
        >
          {Object.entries(ORDERS).map(([value, words]) => <option key={value} value={value}>{words}</option>)}
        </select>
      </label>
    </div>
  )
}

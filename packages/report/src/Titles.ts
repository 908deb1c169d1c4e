/** The titles of the codes: a few words that follow a number of outcomes, each of which may hold several entries. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Text from "./text/Text.ts"

type Title = readonly [one: string, several: string]

const titles: Readonly<Record<Outcome.Code, Title>> = {
  linked: ["match made by hand", "matches made by hand"],
  reference: ["match by reference", "matches by reference"],
  exact: ["match by equal amount", "matches by equal amount"],
  tolerant: ["match within the tolerance", "matches within the tolerance"],
  fee: ["match less a fee", "matches less a fee"],
  grouped: ["match of a group", "matches of groups"],
  "class-balanced": [
    "set of identical amounts, each with its counterpart",
    "sets of identical amounts, each with its counterpart"
  ],
  "missing-transfer": ["unmatched deposit", "unmatched deposits"],
  "missing-deposit": ["unmatched transfer", "unmatched transfers"],
  "amount-mismatch": ["amount difference", "amount differences"],
  late: ["timing difference (late)", "timing differences (late)"],
  early: ["timing difference (early)", "timing differences (early)"],
  "class-short": [
    "set of identical amounts, some without counterpart",
    "sets of identical amounts, some without counterpart"
  ],
  ambiguous: ["set of entries that fit in several ways", "sets of entries that fit in several ways"],
  "split-incomplete": ["partly settled amount", "partly settled amounts"],
  "split-ambiguous": ["sum that can be made up in several ways", "sums that can be made up in several ways"],
  "search-exhausted": ["set of entries too large to decide", "sets of entries too large to decide"],
  "failed-attempt": ["deposit whose transfer failed", "deposits whose transfer failed"],
  "wrong-direction": ["transfer in the wrong direction", "transfers in the wrong direction"],
  "account-mismatch": ["transfer from another account", "transfers from other accounts"],
  reversed: ["transfer moved back", "transfers moved back"],
  "duplicate-suspect": ["suspected duplicate", "suspected duplicates"],
  "source-conflict": ["record given in several versions", "records given in several versions"],
  vanished: ["record that is no longer shown", "records that are no longer shown"],
  "status-regressed": ["record whose status went back", "records whose status went back"],
  "asset-mismatch": ["pair of assets that only look alike", "pairs of assets that only look alike"],
  "in-flight": ["pending item whose window is open", "pending items whose window is open"],
  unconfirmed: ["pending item that is not confirmed yet", "pending items that are not confirmed yet"],
  "unknown-status": ["item of unknown status", "items of unknown status"],
  "coverage-gap": [
    "item that is not decidable from what was read",
    "items that are not decidable from what was read"
  ],
  excluded: ["entry excluded by the policy", "entries excluded by the policy"],
  "bad-record": ["record that could not be read", "records that could not be read"],
  "not-settled": ["failed entry without counterpart", "failed entries without counterpart"],
  "out-of-flow": ["transfer out of scope", "transfers out of scope"]
}

/** Returns the title for a number of outcomes: `unmatched deposits`. */
export const title = (code: Outcome.Code, outcomes: number): string => titles[code][outcomes === 1 ? 0 : 1]

/** Writes a number with its title: `3 unmatched deposits`. */
export const counted = (code: Outcome.Code, outcomes: number): string => {
  const [one, several] = titles[code]
  return Text.counted(outcomes, one, several)
}

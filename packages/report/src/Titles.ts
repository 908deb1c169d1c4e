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
  "class-balanced": ["balanced class of equal amounts", "balanced classes of equal amounts"],
  "missing-transfer": ["deposit without a transfer", "deposits without a transfer"],
  "missing-deposit": ["transfer without a deposit", "transfers without a deposit"],
  "amount-mismatch": ["pair whose amounts differ", "pairs whose amounts differ"],
  late: ["transfer that came late", "transfers that came late"],
  early: ["transfer that came too early", "transfers that came too early"],
  "class-short": [
    "class of equal amounts that does not come out even",
    "classes of equal amounts that do not come out even"
  ],
  ambiguous: ["set of entries that fit in several ways", "sets of entries that fit in several ways"],
  "split-incomplete": ["sum of which a part is missing", "sums of which a part is missing"],
  "split-ambiguous": ["sum that can be made up in several ways", "sums that can be made up in several ways"],
  "search-exhausted": ["tangle too large to decide", "tangles too large to decide"],
  "failed-attempt": ["deposit whose transfer failed", "deposits whose transfer failed"],
  "wrong-direction": ["transfer in the wrong direction", "transfers in the wrong direction"],
  "account-mismatch": ["transfer from another account", "transfers from other accounts"],
  reversed: ["transfer moved back", "transfers moved back"],
  "duplicate-suspect": ["suspected duplicate", "suspected duplicates"],
  "source-conflict": ["record told in two ways", "records told in two ways"],
  vanished: ["record that is no longer shown", "records that are no longer shown"],
  "status-regressed": ["record whose status went back", "records whose status went back"],
  "asset-mismatch": ["pair of assets that only look alike", "pairs of assets that only look alike"],
  "in-flight": ["case whose window is still open", "cases whose window is still open"],
  unconfirmed: ["case that is not confirmed yet", "cases that are not confirmed yet"],
  "unknown-status": ["case of unknown status", "cases of unknown status"],
  "coverage-gap": [
    "case that cannot be decided from what was read",
    "cases that cannot be decided from what was read"
  ],
  excluded: ["entry excluded by the policy", "entries excluded by the policy"],
  "bad-record": ["record that could not be read", "records that could not be read"],
  "not-settled": ["failed entry without counterpart", "failed entries without counterpart"],
  "out-of-flow": ["transfer outside the flows", "transfers outside the flows"]
}

/** Returns the title for a number of outcomes: `deposits without a transfer`. */
export const title = (code: Outcome.Code, outcomes: number): string => titles[code][outcomes === 1 ? 0 : 1]

/** Writes a number with its title: `3 deposits without a transfer`. */
export const counted = (code: Outcome.Code, outcomes: number): string => {
  const [one, several] = titles[code]
  return Text.counted(outcomes, one, several)
}

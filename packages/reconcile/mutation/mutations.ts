/**
 * The rules that guard money: when a pair is stated, when something is missing and what is final. `run.ts` switches one off at a
 * time, and the test file beside it has to fail. A rule that is no function of its own is not in the list.
 */
import type { Mutation } from "./Mutation.ts"

const nothing = "() => undefined"
const none = "() => []"
const always = "() => true"
const never = "() => false"
const second = "(_, second) => second"
const third = "(_first, _second, third) => third"
const complete = "() => ({ state: \"complete\", missing: undefined })"
const flagged = "(_, { deposits }) => new Uint8Array(deposits.length).fill(1)"
const makes = (what: string): string => `() => (${what})`
/** In place of a rule that works in steps. */
const gives = (what = "undefined", parameters = ""): string => `function*(${parameters}) { return ${what} }`

type Row = readonly [rule: string, instead: string, test: string]

/** A pair is stated where no other is possible, and by time only where its rivals are few and far. */
const pairs: ReadonlyArray<Row> = [
  ["Certainty.unswappable", flagged, "codes"],
  ["Certainty.unspanned", flagged, "kernel/ExactClass"],
  ["Rivals.nearest", makes("{ distance: Infinity, index: -1, side: 0 }"), "coverage"],
  ["Decisive.nearest", "() => -1", "edges"],
  ["ByTime.isFar", "({ ratio }, distance, lag) => distance >= ratio * lag", "edges"],
  ["UnlikePairs.rulesOf", makes(`{ isForced: ${always}, isByTime: ${always} }`), "unlike"],
  ["tiers/Exact.isUniform", always, "rules"],
  ["tiers/Tolerant.isUnlike", makes(never), "unlike"],
  ["AmountRule.accepted", makes("{ low: 1n, high: undefined }"), "rules"],
  ["Ledger.make.compatible", always, "rules"],
  ["Ledger.forbidsAmong", never, "rules"],
  ["Direction.make.counts", always, "codes"],
  ["Past.objection", nothing, "past"],
  ["Reference.reference", nothing, "breaks"],
  ["tiers/Linked.linked", nothing, "codes"],
  ["LateSettlement.isInWindow", never, "past"],
  [
    "LonePair.make",
    makes("() => ([deposit, transfer]) => ({ deposit, transfer, code: \"exact\", final: true })"),
    "lonePair"
  ],
  ["LonePair.codeOf", makes("\"exact\""), "lonePair"],
  ["Parts.isElsewhere", never, "parts"],
  ["Driver.isStated", always, "incremental"],
  ["Driver.isReadAround", always, "incremental"],
  ["Parts.reaches", makes("{ equal: 0, back: 0, bearer: 0 }"), "parts"]
]

/** A sum is stated where no other set makes it, and hardly any would by chance. */
const sums: ReadonlyArray<Row> = [
  ["CoveringSets.several", "(_search, _most, _size, { sets: [members] }) => ({ kind: \"only\", members })", "grouped"],
  ["CoveringSets.isSweep", never, "grouped"],
  ["GroupChance.make.isEvidence", always, "grouped"],
  ["sums/Groups.entriesOf", none, "grouped"],
  ["Finality.make.closedNow", makes(always), "grouped"]
]

/** Nothing is final that something unread, bad or in dispute may change. */
const finality: ReadonlyArray<Row> = [
  ["Finality.make.isFinal", always, "coverage"],
  ["Component.make.isAtRest", always, "coverage"],
  ["Component.make.isSettled", always, "coverage"],
  ["ReferenceHolds.make.releasable", nothing, "breaks"],
  ["HorizonRead.make.isQuiet", always, "coverage"],
  ["HorizonRead.make.isSettled", always, "released"],
  ["HorizonRead.isNearPair", never, "released"],
  ["LonePair.beyond", complete, "lonePair"],
  ["HorizonRead.make.isLeftAlone", always, "released"],
  ["Timeline.holds", always, "coverage"],
  ["Timeline.worst", "([first]) => first ?? complete", "released"],
  ["Timeline.combine", "([first]) => first", "coverage"],
  ["ReadScopes.make.against", complete, "coverage"],
  ["ReadWindows.make.everyone", complete, "released"],
  ["ReadWindows.make.backwards", complete, "released"],
  ["ReadWindows.make.cancelling", complete, "unreadQuery"],
  ["ReadWindows.make.cancelled", complete, "discrepancies"],
  ["ReadWindows.make.between", complete, "discrepancies"],
  ["ReadWindows.make.own", complete, "ownGap"],
  ["ReadWindows.make.twins", complete, "released"],
  ["Postponed.make.isRead", always, "coverage"],
  ["Finality.make.unread", makes("{ count: 0, missing: undefined }"), "coverage"],
  ["Lacking.of", "() => \"none\"", "unread"],
  ["Lacking.isMissing", never, "explanation"],
  ["Unusable.beside", second, "unread"]
]

/** What no pair took is told as what it is: every file of `breaks` and `evidence` is named here. */
const breaks: ReadonlyArray<Row> = [
  ["AccountMismatch.accountMismatch", nothing, "discrepancies"],
  ["AmountMismatch.amountMismatch", nothing, "coverage"],
  ["AssetMismatch.assetMismatch", nothing, "discrepancies"],
  ["BesideDisputed.besideDisputed", third, "past"],
  ["Chains.chains", nothing, "released"],
  ["Disputed.make", makes(`{ isAny: false, near: ${makes("nothing")} }`), "past"],
  ["DuplicateSuspect.duplicateSuspect", gives(), "discrepancies"],
  ["TakenCandidates.isWeak", never, "doubt"],
  ["FailedAttempt.failedAttempt", nothing, "shares"],
  ["FarCounterpart.make", makes(nothing), "breaks"],
  ["LastLook.lastLook", gives("drafts", "_, drafts"), "lastLook"],
  ["Late.late", nothing, "edges"],
  ["SingleCandidate.find", "(_side, indices, _bounds, isCandidate) => indices.find(isCandidate)", "lone"],
  ["LookAlike.isAlike", always, "discrepancies"],
  ["Missing.missing", gives(), "coverage"],
  ["NearInTime.make", makes(none), "doubt"],
  ["NearMisses.make", makes(none), "breaks"],
  ["Objections.objections", nothing, "past"],
  ["Pending.pending", nothing, "codes"],
  ["Reversed.reversed", nothing, "discrepancies"],
  ["SettledUnlike.settledUnlike", nothing, "settledLater"],
  ["SplitAmbiguous.splitAmbiguous", nothing, "grouped"],
  ["SplitIncomplete.splitIncomplete", nothing, "grouped"],
  ["Remainder.make.elsewhere", complete, "unreadQuery"],
  ["Postponed.make.of", complete, "coverage"],
  [
    "evidence/Unread.make.partner",
    "() => ({ state: \"complete\", missing: undefined, candidates: [] })",
    "unreadQuery"
  ],
  ["UnlistedAccounts.make", makes(nothing), "vouched"],
  ["PendingDeposits.make.mayReach", never, "waiting"],
  ["Waiting.waiting", nothing, "waiting"],
  ["WaitingSums.waitingSums", nothing, "waiting"],
  ["WrongDirection.wrongDirection", nothing, "discrepancies"],
  ["Exhausted.exhausted", nothing, "codes"],
  ["Links.settlePartial", nothing, "linkedGap"]
]

/** Whatever comes is in the report once, and so is what was not read; a stream tells nothing too early. */
const books: ReadonlyArray<Row> = [
  ["Admission.read", "(_, entry) => Result.succeed(entry)", "hostile"],
  ["Admission.disbelieved", "(coverage) => coverage", "hostile"],
  ["Validation.meaning", "({ id }) => id", "codes"],
  ["SetAside.setAside", none, "codes"],
  ["report/Unread.make", none, "unread"],
  ["InRange.isInRange", makes(always), "days"],
  ["InRange.isOfRange", makes(always), "days"],
  ["Buckets.matchedPairs", "() => 0", "report"],
  ["Totals.refine", nothing, "report"],
  ["Totals.addSides", nothing, "sums"],
  ["Statistics.addNumbers", nothing, "sums"],
  ["Families.families", none, "partition"],
  ["Merging.unlike", nothing, "notParts"],
  ["Merging.torn", nothing, "notParts"],
  ["Merging.lacking", nothing, "notParts"],
  ["Merging.foreign", nothing, "notParts"],
  ["Merging.surveyedOtherwise", nothing, "notParts"],
  ["Share.holds", makes(always), "silence"],
  ["Share.spans", always, "silence"],
  ["Silence.reach", makes("0"), "silence"],
  ["Silence.spanOf", makes("({ at }) => ({ from: at, to: at, entries: 1 })"), "silence"],
  ["Census.between", "([{ at }]) => ({ from: at, to: at, entries: 0 })", "silence"],
  ["Pool.decidedBy", makes(always), "lastLook"],
  ["Pool.keep", gives(`{ isUndecided: ${never}, isNeeded: ${never} }`), "incremental"]
]

export const mutations: ReadonlyArray<Mutation> = [pairs, sums, finality, breaks, books].flat()
  .map(([rule, instead, test]) => ({ rule, instead, test }))

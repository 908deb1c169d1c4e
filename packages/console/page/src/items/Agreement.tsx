/** A badge for each field in which a candidate agrees or differs, and what stands in the way of a link. */
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import type * as EntriesApi from "../../../src/internal/api/EntriesApi.ts"

type Candidate = typeof EntriesApi.Candidates.Type["candidates"][number]

type Badge = readonly [words: string, kind: "" | "bad" | "doubtful" | "good"]

const amounts: Readonly<Record<Candidate["agrees"]["amount"], Badge>> = {
  equal: ["same amount", "good"],
  accepted: ["amount within the policy", "good"],
  differs: ["other amount", "bad"]
}

const moments: Readonly<Record<Candidate["agrees"]["time"], Badge>> = {
  window: ["in time", "good"],
  early: ["too early", "doubtful"],
  late: ["late", "doubtful"],
  beyond: ["far away in time", "bad"]
}

const told = (agrees: boolean | null, what: string): ReadonlyArray<Badge> =>
  agrees === null ? [] : [agrees ? [`same ${what}`, "good"] : [`other ${what}`, "bad"]]

const badges = ({ agrees }: Candidate): ReadonlyArray<Badge> => [
  amounts[agrees.amount],
  moments[agrees.time],
  ...told(agrees.asset, "asset"),
  ...told(agrees.account, "account"),
  ...told(agrees.reference, "reference")
]

const hindrance = (one: Candidate["hindrances"][number]): string => {
  if (one._tag === "Contradicted") return `decision ${one.decision} ${Text.plain(one.says)}`
  if (one._tag === "Policy") return `the policy has a rule of the kind ${one.kind} for them`
  if (one._tag === "OtherAsset") return "the assets are two"
  return one._tag === "Vanished" ? `the ${one.side} is no longer shown` : `the ${one.side} failed`
}

const stands = ({ stands }: Candidate): string => {
  if (stands._tag === "Waiting") return "waits, too"
  if (stands._tag === "Settled") return `is ${stands.state} already`
  return stands._tag === "NeverWaited" ? "was settled from the first" : "was not judged yet"
}

export const Agreement = ({ candidate }: { readonly candidate: Candidate }) => (
  <span class="agreement">
    {badges(candidate).map(([words, kind]) => <span key={words} class={`tag ${kind}`}>{words}</span>)}
    <span class="note">
      {`${Times.duration(Math.abs(candidate.lag))} ${candidate.lag < 0 ? "before" : "after"} the deposit; it ${
        stands(candidate)
      }`}
    </span>
    {candidate.hindrances.map((one, place) => <span key={place} class="tag bad">{hindrance(one)}</span>)}
  </span>
)

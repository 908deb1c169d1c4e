/** Finds parts of a policy that are legal and probably not meant. It warns only of what is nearly always a mistake. */
import * as Amount from "@tallystick/core/Amount"
import * as Policy from "@tallystick/reconcile/Policy"
import type { PolicyIssue } from "@tallystick/reconcile/PolicyError"
import * as Times from "../../text/Times.ts"
import { named, percent, quoted } from "./Words.ts"

type Report = (path: string, message: string) => void

const isAtLeast = (amount: string, least: string): boolean => {
  const scale = Math.max(Amount.scale(amount), Amount.scale(least))
  return Amount.units(amount, scale) >= Amount.units(least, scale)
}

const DAY = 86_400_000

/** The general rule and those of `per` that have a key of their own, each with its place. */
const rules = (written: Policy.Decoded, key: "window" | "tolerance") => {
  const resolved = Policy.resolve(written)
  return [
    { place: key, rule: resolved },
    ...resolved.per.flatMap((rule, index) =>
      written.per?.[index]?.[key] === undefined ? [] : [{ place: `per[${index}].${key}`, rule }]
    )
  ]
}

const tolerances = (written: Policy.Decoded, report: Report): void => {
  for (const { place, rule: { tolerance: { absolute, maxShare, relative } } } of rules(written, "tolerance")) {
    if (isAtLeast(relative, "0.1")) {
      report(
        `${place}.relative`,
        `"${relative}" is ${percent(relative)} of the amount, and accepts nearly any transfer; 1 % is "0.01"`
      )
    }
    if (!Amount.isZero(absolute) && isAtLeast(maxShare, "1")) {
      report(
        `${place}.maxShare`,
        `"${maxShare}" lets small amounts match others that are twice as large; the default is "0.5"`
      )
    }
  }
}

const fees = (written: Policy.Decoded, report: Report): void =>
  written.fees?.forEach(({ rate }, index) => {
    if (rate !== undefined && isAtLeast(rate, "0.1")) {
      report(`fees[${index}].rate`, `"${rate}" is ${percent(rate)} of the deposit; 1 % is "0.01"`)
    }
  })

/** Warns where residuals are called noise although there are none, or although all of them would be noise. */
const noise = (written: Policy.Decoded, report: Report): void => {
  const resolved = Policy.resolve(written)
  const isTolerant = ({ tolerance: { absolute, relative } }: Policy.Rule): boolean =>
    !Amount.isZero(absolute) || !Amount.isZero(relative)
  const check = (place: string, { ambiguity: { residual }, tolerance }: Policy.Rule, isUsed: boolean): void => {
    if (Amount.isZero(residual)) return
    if (!isUsed) report(place, `"${residual}" has no effect: no tolerance is given, so that nothing differs`)
    const { absolute, relative } = tolerance
    if (!Amount.isZero(absolute) && Amount.isZero(relative) && Amount.compare(residual, absolute) > 0) {
      report(
        place,
        `"${residual}" is more than the tolerance of "${absolute}": every residual is noise, so that none decides anything`
      )
    }
  }
  check("ambiguity.residual", resolved, [resolved, ...resolved.per].some(isTolerant))
  resolved.per.forEach((rule, index) => {
    if (written.per?.[index]?.ambiguity?.residual !== undefined) {
      check(`per[${index}].ambiguity.residual`, rule, isTolerant(rule))
    }
  })
}

const assignment = (written: Policy.Decoded, report: Report): void => {
  if (Policy.resolve(written).ambiguity.mode !== "assign") return
  for (const { place, rule: { window: { after, before } } } of rules(written, "window")) {
    if (before + after > DAY) {
      report(
        place,
        `the window is ${
          Times.spelled(before + after)
        } wide, and ambiguity is "assign": many pairs will be possible, and some of those stated will be wrong`
      )
    }
  }
}

const unreached = ({ per = [] }: Policy.Decoded, report: Report): void => {
  const first = new Map<string, number>()
  per.forEach(({ asset, network = null }, index) => {
    const [own, general] = [JSON.stringify([asset, network]), JSON.stringify([asset, null])]
    const earlier = [first.get(own), first.get(general)].filter((one) => one !== undefined)
    if (earlier.length === 0) first.set(own, index)
    else report(`per[${index}]`, `it is never reached: per[${Math.min(...earlier)}] names ${named(asset)} before it`)
  })
}

const exclusions = ({ exclude = [] }: Policy.Decoded, report: Report): void => {
  const seen = new Map<string, number>()
  exclude.forEach(({ id, side }, index) => {
    const keys = (side === undefined ? ["deposit", "transfer"] : [side]).map((side) => `${side} ${id}`)
    const before = keys.flatMap((key) => seen.get(key) ?? [])
    if (before.length > 0) {
      report(`exclude[${index}]`, `${quoted(id)} already stands at exclude[${Math.min(...before)}]`)
    }
    for (const key of keys) if (!seen.has(key)) seen.set(key, index)
  })
}

const overruled = ({ forbid = [], links = [] }: Policy.Decoded, report: Report): void => {
  const linkOf = (side: "deposits" | "transfers") =>
    new Map(links.flatMap((link, index) => link[side].map((id) => [id, index] as const)))
  const [byDeposit, byTransfer] = [linkOf("deposits"), linkOf("transfers")]
  forbid.forEach(({ deposit, transfer }, index) => {
    const link = byDeposit.get(deposit)
    if (link !== undefined && link === byTransfer.get(transfer)) {
      report(`forbid[${index}]`, `links[${link}] holds the same pair, and a link goes before: they will match`)
    }
  })
}

const flows = (written: Policy.Decoded, report: Report): void =>
  written.flows?.forEach(({ types }, index) => {
    if (types?.length === 0) {
      report(`flows[${index}].types`, "the list is empty, so that no transfer counts; leave it out for any type")
    }
  })

/** Returns all warnings, in the order of the checks. */
export const find = (written: Policy.Decoded): ReadonlyArray<PolicyIssue> => {
  const found: Array<PolicyIssue> = []
  const report: Report = (path, message) => found.push({ path, message })
  for (const check of [tolerances, fees, noise, unreached, assignment, flows, exclusions, overruled]) {
    check(written, report)
  }
  return found
}

/** Finds keys of a policy that contradict each other, which no check of a single key can find. */
import * as Amount from "@tallystick/core/Amount"
import type { PolicyIssue } from "../../PolicyError.ts"
import * as Resolved from "./Resolved.ts"
import type { Policy } from "./Written.ts"

type Report = (path: string, message: string) => void

const windows = (written: Policy, report: Report): void => {
  const { per, window } = Resolved.resolve(written)
  const check = (path: string, { after, before }: Resolved.Rule["window"]): void => {
    if (-before > after) {
      report(
        path,
        `the window is empty: it would begin ${-before} ms and end ${after} ms behind the deposit; -before must not exceed after`
      )
    }
  }
  check("window", window)
  per.forEach((rule, index) => check(`per[${index}].window`, rule.window))
}

const fees = (written: Policy, report: Report): void =>
  written.fees?.forEach(({ flat, rate }, index) => {
    if (flat === undefined && rate === undefined) report(`fees[${index}]`, "a fee needs flat, rate or both")
    if (rate !== undefined && Amount.units(rate, Amount.scale(rate)) >= 10n ** BigInt(Amount.scale(rate))) {
      report(`fees[${index}].rate`, `a rate is below 1 ("0.001" is a tenth of a percent), got "${rate}"`)
    }
  })

/** Reports a key that is named twice. `place` says where a key is named. */
const once = (report: Report) => {
  const seen = new Map<string, string>()
  return (key: string, name: string, place: string): void => {
    const before = seen.get(key)
    if (before === undefined) seen.set(key, place)
    else report(place, `${name} already stands at ${before}`)
  }
}

const aliases = (written: Policy, report: Report): void => {
  const unique = once(report)
  written.assets?.aliases?.forEach((names, list) =>
    names.forEach((name, index) => unique(name, `"${name}"`, `assets.aliases[${list}][${index}]`))
  )
}

const statuses = (written: Policy, report: Report): void => {
  for (const side of ["deposit", "transfer"] as const) {
    const unique = once(report)
    for (const status of ["settled", "pending", "failed"] as const) {
      written.statuses?.[side]?.[status]?.forEach((code, index) =>
        unique(String(code), `status ${code}`, `statuses.${side}.${status}[${index}]`)
      )
    }
  }
}

const links = (written: Policy, report: Report): void => {
  const unique = once(report)
  const excluded = new Set(
    written.exclude?.flatMap((
      { id, side }
    ) => (side === undefined ? [`deposit ${id}`, `transfer ${id}`] : [`${side} ${id}`]))
  )
  written.links?.forEach((link, index) => {
    for (const side of ["deposit", "transfer"] as const) {
      link[`${side}s`].forEach((id, position) => {
        const place = `links[${index}].${side}s[${position}]`
        unique(`${side} ${id}`, `${side} "${id}"`, place)
        if (excluded.has(`${side} ${id}`)) {
          report(place, `${side} "${id}" is excluded; an excluded entry cannot be linked`)
        }
      })
    }
  })
}

/** Returns all contradictions of a policy. */
export const issues = (written: Policy): ReadonlyArray<PolicyIssue> => {
  const found: Array<PolicyIssue> = []
  const report: Report = (path, message) => found.push({ path, message })
  windows(written, report)
  fees(written, report)
  aliases(written, report)
  statuses(written, report)
  links(written, report)
  return found
}

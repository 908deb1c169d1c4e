/** Puts groups, ambiguity and references in words: they say what the engine does where several answers are possible. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "@tallystick/reconcile/Policy"

type Sentences = ReadonlyArray<string>

export const grouping = ({ manyToOne, maxRun, maxSize, oneToMany }: Policy.Resolved["grouping"]): Sentences => {
  const sizes = `${maxSize} entries, or up to ${maxRun} that follow one another in time`
  if (!manyToOne && !oneToMany) {
    return ["Groups are not looked for: a match is one deposit and one transfer.", `(A group would be up to ${sizes}.)`]
  }
  return [
    manyToOne
      ? "One transfer may move several deposits at once."
      : "One transfer never stands for several deposits.",
    oneToMany
      ? "One deposit may be moved by several transfers."
      : "One deposit is never moved by several transfers.",
    `A group is up to ${sizes}.`
  ]
}

/** Says which residuals are noise, for all assets or for one. */
export const noise = (residual: string): string =>
  Amount.isZero(residual)
    ? "Amounts that differ decide nothing: no residual is taken for noise."
    : `A residual below ${
      Amount.canonical(residual)
    } is noise: such a pair is stated by its amount when no other candidate ` +
      "of either entry has one. Otherwise amounts that differ decide nothing."

export const ambiguity = ({ mode, ratio, residual, rivals }: Policy.Resolved["ambiguity"]): Sentences => [
  `Where other pairs are possible, nearness in time decides only when every other candidate, whatever it differs by, is more ` +
  `than ${ratio} ${ratio === 1 ? "time" : "times"} as far away, and there ${
    rivals === 1 ? "is at most 1" : `are at most ${rivals}`
  } of them. A candidate has an equal amount, or one that a tolerance or a fee allows.`,
  noise(residual),
  mode === "report"
    ? "What that leaves open is not paired: it is reported as a class of equal amounts, or as ambiguous."
    : "What that leaves open is paired all the same, by one of the best assignments; such pairs are marked as assigned, and " +
      "may be wrong."
]

export const lagFrom = (from: Policy.Resolved["lagFrom"]): Sentences => [
  {
    seen: "Lags count from the time of the deposit, whenever it settled.",
    settled:
      "Lags count from the time of the deposit; where an archive saw it settle later, and nothing was found from its own time " +
      "on, they count from when it was first seen settled as well."
  }[from]
]

export const reference = (mode: Policy.Resolved["reference"]): Sentences => [
  {
    prefer:
      "Equal references are matched first, inside window and tolerance; different ones do not keep two entries apart.",
    require:
      "Equal references are matched first, inside window and tolerance; two entries with different references never match.",
    only:
      "Only equal references are matched, inside window and tolerance; nothing is matched by amount and time alone.",
    ignore: "References are not looked at."
  }[mode]
]

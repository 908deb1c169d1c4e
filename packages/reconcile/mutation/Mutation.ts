/** One rule of the engine, disabled. */
export interface Mutation {
  /** The rule, as a sentence. */
  readonly name: string
  /** Relative to the package's `src`. */
  readonly file: string
  /** The exact text that states the rule; it stands in the file exactly once. */
  readonly from: string
  /** What it reads without the rule. */
  readonly to: string
  /** Test files by a part of their path, at least one of which has to fail. */
  readonly tests: ReadonlyArray<string>
}

/** Mutations of one file that the same tests have to notice, each as the rule, what states it, and what does not. */
export const of = (
  file: string,
  tests: ReadonlyArray<string>,
  rules: ReadonlyArray<readonly [name: string, from: string, to: string]>
): ReadonlyArray<Mutation> => rules.map(([name, from, to]) => ({ name, file, from, to, tests }))

/** The text with the rule disabled; nothing unless the rule stands in it exactly once. */
export const apply = ({ from, to }: Mutation, text: string): string | undefined => {
  const parts = text.split(from)
  return parts.length === 2 ? parts.join(to) : undefined
}

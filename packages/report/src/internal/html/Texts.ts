/** Texts that repeat, each written once: everywhere else stands its number. */

export interface Texts {
  /** The number of a text; 0 stands for none. */
  readonly number: (text: string | undefined) => number
  /** All texts so far; the one with number `n` stands at `n - 1`. */
  readonly all: () => ReadonlyArray<string>
}

export const make = (): Texts => {
  const numbers = new Map<string, number>()
  return {
    number: (text) => {
      if (text === undefined) return 0
      const known = numbers.get(text)
      if (known !== undefined) return known
      numbers.set(text, numbers.size + 1)
      return numbers.size
    },
    all: () => Array.from(numbers.keys())
  }
}

/** The text of a number. */
export const reader = (texts: ReadonlyArray<string>) => (number: number): string | undefined => texts[number - 1]

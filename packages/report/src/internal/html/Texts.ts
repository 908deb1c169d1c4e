/** Writes each text that repeats once, and its number everywhere else. */

export interface Texts {
  /** Returns the number of a text; 0 stands for none. */
  readonly number: (text: string | undefined) => number
  /** Returns all texts so far. The one with number `n` stands at `n - 1`. */
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

/** Finds the text of a number. */
export const reader = (texts: ReadonlyArray<string>) => (number: number): string | undefined => texts[number - 1]

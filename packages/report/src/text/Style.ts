/** Writes emphasis in a terminal, or none at all. */

type Paint = (text: string) => string

export interface Style {
  readonly strong: Paint
  readonly faint: Paint
  readonly good: Paint
  readonly bad: Paint
  readonly doubtful: Paint
}

const sgr = (on: number, off: number): Paint => (text) => `\u001b[${on}m${text}\u001b[${off}m`

export const colored: Style = {
  strong: sgr(1, 22),
  faint: sgr(2, 22),
  good: sgr(32, 39),
  bad: sgr(31, 39),
  doubtful: sgr(33, 39)
}

const unchanged: Paint = (text) => text

export const none: Style = { strong: unchanged, faint: unchanged, good: unchanged, bad: unchanged, doubtful: unchanged }

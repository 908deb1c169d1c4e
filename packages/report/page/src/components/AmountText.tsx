/** An exact amount: grouped for the eye by margins, so that what is copied is the amount itself. */

/** Digits in threes, counted from the point. */
const integer = (digits: string): ReadonlyArray<string> => digits.match(/\d{1,3}(?=(?:\d{3})*$)/g) ?? []
const fraction = (digits: string): ReadonlyArray<string> => digits.match(/\d{1,3}/g) ?? []

/** How wide the part behind the point is, in characters and in gaps between groups. */
export interface Fraction {
  readonly digits: number
}

/** The longest part behind the point. */
export const widest = (amounts: Iterable<string>): Fraction => {
  let digits = 0
  for (const amount of amounts) {
    const point = amount.indexOf(".")
    if (point >= 0) digits = Math.max(digits, amount.length - point - 1)
  }
  return { digits }
}

/** The room that so many digits take. */
export const room = ({ digits }: Fraction): string =>
  digits === 0 ? "0px" : `calc(${digits + 1}ch + ${Math.ceil(digits / 3) - 1} * var(--gap))`

interface Props {
  readonly amount: string
  /** Room for the part behind the point, so that points stand under each other. */
  readonly align?: Fraction | undefined
}

export const AmountText = ({ align, amount }: Props) => {
  const [before = "", after = ""] = amount.replace("-", "").split(".")
  return (
    <span class="amount">
      {amount.startsWith("-") ? "-" : ""}
      {integer(before).map((digits, index) => <span key={index} class={index === 0 ? "" : "group"}>{digits}</span>)}
      <span class="fraction" style={align === undefined ? {} : { width: room(align) }}>
        {after === "" ? "" : "."}
        {fraction(after).map((digits, index) => <span key={index} class={index === 0 ? "" : "group"}>{digits}</span>)}
      </span>
    </span>
  )
}

/** Counts, grouped for the eye as amounts are: by gaps. The commas of their text stay in it, unseen, for who copies or hears it. */
import * as Text from "../../../src/text/Text.ts"

interface Props {
  /** May hold counts as `Text.count` writes them. */
  readonly text: string
}

export const CountText = ({ text }: Props) => (
  <>
    {text.split(/(?<=\d),(?=\d{3}(?!\d))/).map((part, index) => (
      index === 0 ? part : [<span key={index} class="comma">,</span>, part]
    ))}
  </>
)

/** The same where no element can stand. */
export const spaced = (count: number): string => Text.count(count).replaceAll(",", "\u202f")

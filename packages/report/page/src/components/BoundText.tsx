/** A rounded worth: its bound stands small in front of its number. */
import { CountText } from "./CountText.tsx"

export const BoundText = ({ text }: { readonly text: string }) => {
  const bound = /^(?:at most|at least|about|less than|more than) (?=\d)/.exec(text)?.[0] ?? ""
  return (
    <>
      {bound === "" ? null : <small>{bound}</small>}
      <CountText text={text.slice(bound.length)} />
    </>
  )
}

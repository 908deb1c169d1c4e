/** A command, whole, with a button that copies it. */
import { Copy } from "./Copy.tsx"

interface Props {
  /** What it does. */
  readonly label: string
  readonly text: string
}

export const Command = ({ label, text }: Props) => (
  <div class="command">
    <span class="label">{label}</span>
    <code>{text}</code>
    <Copy text={text} what="the command" />
  </div>
)

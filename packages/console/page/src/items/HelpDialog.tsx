/** Says which keys there are. */
import { Dialog } from "./Dialog.tsx"

const KEYS: ReadonlyArray<readonly [keys: string, what: string]> = [
  ["j  k", "Go to the next item, and to the one before"],
  ["Enter", "Open the item"],
  ["Escape", "Close the item, and choose none"],
  ["Space", "Choose the item, or leave it; with Shift all items from the last one on"],
  ["a", "Accept: the break is known and explained"],
  ["l", "Link the entry with others"],
  ["x", "Exclude the entries"],
  ["f", "Forbid: the entry does not belong to another"],
  ["n", "Write a note"],
  ["u", "Take back what you decided in this session"],
  ["/", "Search"],
  ["?", "Show these keys"]
]

export const HelpDialog = ({ close }: { readonly close: () => void }) => (
  <Dialog title="Keys" close={close}>
    <dl class="keys">
      {KEYS.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <p class="note">
      Accept, exclude and note are about all items that are chosen; where none is, about the active one.
    </p>
    <p class="actions">
      <button type="button" class="button" autofocus onClick={close}>Close</button>
    </p>
  </Dialog>
)

/** A dialog over the screen: it takes the keys, Escape leaves it, and the focus goes back to where it was. */
import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"

interface Props {
  readonly title: string
  readonly close: () => void
  /** Why what was asked in it came to nothing. */
  readonly trouble?: string | undefined
  readonly children: ComponentChildren
}

export const Dialog = ({ children, close, title, trouble }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} class="card" aria-labelledby={id} onClose={close}>
      <h2 id={id}>{title}</h2>
      {children}
      {trouble === undefined ? null : <p role="alert" class="trouble">{trouble}</p>}
    </dialog>
  )
}

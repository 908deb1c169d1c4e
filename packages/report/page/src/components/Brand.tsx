/** Whose page it is: the mark and the name. */

/** Four notches and one across: how a tally is kept. */
const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d="M5 4v16M9.5 4v16M14 4v16M18.5 4v16M2.5 17L21.5 7" />
  </svg>
)

export const Brand = () => (
  <p class="brand">
    <Mark />
    Tallystick
  </p>
)

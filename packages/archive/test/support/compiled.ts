/** The folder in which Node keeps what it made of the sources for one process, so that later ones start in half the time. */
import { fileURLToPath } from "node:url"

export const compiled = fileURLToPath(new URL("../../../../node_modules/.cache/tallystick-compiled", import.meta.url))

/** Whose records an archive holds. */
export { describe, of, Origin as Stamp } from "@tallystick/core/Origin"

/** The headers of every answer, whatever it answers. */

const policy = (directives: Readonly<Record<string, string>>): string =>
  Object.entries(directives).map(([name, sources]) => `${name} ${sources}`).join("; ")

/** Nothing is loaded from elsewhere, and no script or style that stands in a page runs. */
const CONTENT = policy({
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'"
})

export const all: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": CONTENT,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

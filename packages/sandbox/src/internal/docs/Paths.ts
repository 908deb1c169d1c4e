/** Names the paths at which the sandbox describes its answers. */

/** The page for people. */
export const PAGE = "/sandbox/docs"

/** The OpenAPI document. */
export const OPEN_API = "/openapi.json"

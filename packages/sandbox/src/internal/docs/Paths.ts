/** Where the sandbox tells what it answers. */

/** The page for people. */
export const PAGE = "/sandbox/docs"

/** The OpenAPI document. */
export const OPEN_API = "/openapi.json"

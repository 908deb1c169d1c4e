/** The range by which the report counts, Unix ms; null is everything. What lies outside of it is marked. */
import type * as Report from "@tallystick/reconcile/Report"
import { createContext } from "preact"

export const Asked = createContext<Report.Summary["range"]>(null)

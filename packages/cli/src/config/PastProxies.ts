/** Requests to this machine itself: a proxy on another one would get them in clear, and find nothing there. */
import * as Context from "effect/Context"

/** Whether requests go past every proxy, whatever the variables of proxies say. Default: false. */
export const PastProxies = Context.Reference<boolean>("@tallystick/cli/PastProxies", {
  defaultValue: () => false
})

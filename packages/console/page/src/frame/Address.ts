/** The screen and all that is chosen on it stand in the address, behind the `#`: a link leads back to them. */
import { useEffect, useState } from "preact/hooks"

export interface Address {
  /** The name of the screen: `items`. */
  readonly screen: string
  readonly chosen: URLSearchParams
}

const read = (): Address => {
  const [screen = "", chosen = ""] = location.hash.replace(/^#\/?/, "").split("?")
  return { screen, chosen: new URLSearchParams(chosen) }
}

const write = ({ chosen, screen }: Address): string => {
  const query = chosen.toString()
  return `#/${screen}${query === "" ? "" : `?${query}`}`
}

/** The address, which is read again whenever it changes. */
export const useAddress = (): Address => {
  const [address, set] = useState(read)
  useEffect(() => {
    const changed = () => set(read())
    addEventListener("hashchange", changed)
    return () => removeEventListener("hashchange", changed)
  }, [])
  return address
}

/** Changes what is chosen on the screen; an empty text chooses nothing. Going back leads to the screen before, not to each choice. */
export const choose = (changes: Readonly<Record<string, string>>): void => {
  const { chosen, screen } = read()
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") chosen.delete(name)
    else chosen.set(name, value)
  }
  const hash = write({ screen, chosen })
  if (hash === location.hash) return
  history.replaceState(null, "", hash)
  dispatchEvent(new Event("hashchange"))
}

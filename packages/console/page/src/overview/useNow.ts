/** The time on this machine's clock, Unix ms, again every minute. */
import { useEffect, useState } from "preact/hooks"

const MINUTE = 60_000

export const useNow = (): number => {
  const [now, set] = useState(() => Date.now())
  useEffect(() => {
    const ticking = setInterval(() => set(Date.now()), MINUTE)
    return () => clearInterval(ticking)
  }, [])
  return now
}

import { useEffect, useState } from 'react'

const left = (at: number) => Math.max(0, Math.ceil((at - Date.now()) / 1_000))

/** Returns the whole seconds until a time in milliseconds, counting down to 0. */
export function useSecondsUntil(at: number): number {
  const [seconds, setSeconds] = useState(() => left(at))
  useEffect(() => {
    setSeconds(left(at))
    if (left(at) === 0) return
    const timer = setInterval(() => {
      setSeconds(left(at))
      if (left(at) === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [at])
  return seconds
}

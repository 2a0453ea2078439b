import { useEffect, useRef, useState } from 'react'

// In ms: a change is reported when the user has stopped typing for this long.
const pause = 350

/**
 * Returns a text field's value. Changes are reported when the user stops typing, and a new `value`
 * replaces the text.
 */
export function useTyped(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value)
  const reported = useRef(value)
  const report = useRef(onChange)
  report.current = onChange

  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setText(value)
  }, [value])

  useEffect(() => {
    if (text === reported.current) return
    const timer = setTimeout(() => {
      reported.current = text
      report.current(text)
    }, pause)
    return () => clearTimeout(timer)
  }, [text])

  return [text, setText] as const
}

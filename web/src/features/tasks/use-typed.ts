import { useEffect, useRef, useState } from 'react'

// As long as people pause between two keys.
const pause = 350

/** A text field's value, reported when typing pauses and updated when the value changes. */
export function useTyped(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange

  useEffect(() => {
    if (value === told.current) return
    told.current = value
    setText(value)
  }, [value])

  useEffect(() => {
    if (text === told.current) return
    const timer = setTimeout(() => {
      told.current = text
      tell.current(text)
    }, pause)
    return () => clearTimeout(timer)
  }, [text])

  return [text, setText] as const
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })
const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

/**
 * Formats the distance from now in the largest suitable unit: "in 3 days", "2 hours ago". `happened`: the
 * event is in the past, even if the browser's clock is behind.
 */
export function fromNow(at: Date, now: Date, happened = false): string {
  const distance = Math.round((at.getTime() - now.getTime()) / 1000)
  const seconds = happened ? Math.min(distance, -1) : distance
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  return seconds < 0 ? 'just now' : 'in less than a minute'
}

/** Formats the day in the browser's time zone, with the year if it is not the current one. */
export function localDay(at: Date, now: Date): string {
  return (at.getFullYear() === now.getFullYear() ? day : dayOfYear).format(at)
}

/** Formats the day as "Today", "Yesterday" or a date. */
export function dayName(at: Date, now: Date): string {
  const before = new Date(now)
  before.setDate(now.getDate() - 1)
  if (at.toDateString() === now.toDateString()) return 'Today'
  return at.toDateString() === before.toDateString() ? 'Yesterday' : localDay(at, now)
}

/** Formats the time of day in the browser's time zone. */
export function timeOfDay(at: Date): string {
  return hour.format(at)
}

/** Formats the day and the time of day in the browser's time zone. */
export function localTime(at: Date, now: Date): string {
  return `${localDay(at, now)}, ${hour.format(at)}`
}

/** Formats the date and the time, with seconds and time zone. */
export function exactTime(at: Date): string {
  return exact.format(at)
}

/** Formats a duration in words: 86,400 becomes "24 hours", 3,196,800 becomes "37 days". */
export function duration(seconds: number): string {
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`
  if (seconds >= 2 * 86_400) return count(Math.round(seconds / 86_400), 'day')
  if (seconds >= 3_600) return count(Math.round(seconds / 3_600), 'hour')
  return count(Math.max(1, Math.round(seconds / 60)), 'minute')
}

/**
 * Formats the time left in its two largest units, such as "3 days 4 h"; undefined if none is left.
 */
export function timeLeft(at: Date, now: Date): string | undefined {
  const minutes = Math.floor((at.getTime() - now.getTime()) / 60_000)
  if (at <= now) return undefined
  const days = Math.floor(minutes / 1_440)
  const hours = Math.floor((minutes % 1_440) / 60)
  if (days > 0) return `${days} day${days === 1 ? '' : 's'}${hours > 0 ? ` ${hours} h` : ''}`
  if (hours > 0) return `${hours} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`
  return minutes > 0 ? `${minutes} min` : 'less than a minute'
}

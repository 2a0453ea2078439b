/** A piece of a text that somebody wrote: plain, or a link that is safe to follow. */
export interface Piece {
  text: string
  href?: string
}

const link = /\bhttps?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/gi
// What changes how other characters are shown without being seen: it could make one text look
// like another. Line breaks and tabs stay.
const unseen = /[\p{Cc}\p{Bidi_Control}\u200b\u2060-\u2064\ufeff]/gu
const kept = '\n\t'

/** The text without characters that cannot be seen but change how it reads. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, (each) => (kept.includes(each) ? each : ''))
}

/** Splits a text at its http links. Nothing in it is markup. */
export function pieces(text: string): Piece[] {
  const clean = visible(text)
  const found: Piece[] = []
  let end = 0
  for (const match of clean.matchAll(link)) {
    if (!URL.canParse(match[0])) continue
    if (match.index > end) found.push({ text: clean.slice(end, match.index) })
    found.push({ text: match[0], href: match[0] })
    end = match.index + match[0].length
  }
  if (end < clean.length) found.push({ text: clean.slice(end) })
  return found
}

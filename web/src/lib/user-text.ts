import { limits } from './facts.gen'

// Invisible characters that change how other characters are displayed and could make one text look
// like another. Line breaks, tabs, and the joiners that emoji and some scripts need are excluded.
const invisible =
  /[\p{Cc}\p{Bidi_Control}\p{Cs}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e007f}]/gu
const kept = '\n\t'
// No script puts more than four marks on a letter. More would overlap the adjacent lines.
const stackedMarks = /(\p{M}{4})\p{M}+/gu

/** Returns the text without invisible characters that change how it is displayed. */
export function visible(text: string): string {
  return text
    .replace(/\r\n|[\u2028\u2029]/g, '\n')
    .replace(invisible, (each) => (kept.includes(each) ? each : ''))
    .replace(stackedMarks, '$1')
}

/** Returns the beginning of a text as a single line, for lists. */
export function excerpt(text: string, characters: number): string {
  const line = [
    ...visible(text.slice(0, characters * 4))
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return line.length > characters ? `${line.slice(0, characters - 1).join('')}…` : line.join('')
}

/** Parses a web address and returns undefined if it is unsafe as a link. */
export function safeAddress(text: string): URL | undefined {
  if (text.length > limits.maxURL || !/^https?:\/\/[^\s]+$/i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  // A username before the @ could be mistaken for the host.
  return url.hostname && !url.username && !url.password ? url : undefined
}

/**
 * Returns the host of a link in ASCII; undefined if the link's text already shows exactly this
 * host.
 */
export function hostToShow(words: string, url: URL): string | undefined {
  const shownHost = /^https?:\/\/([^/?#]+)(?:[/?#]|$)/i.exec(words)?.[1]
  return shownHost?.toLowerCase() === url.host ? undefined : url.host
}

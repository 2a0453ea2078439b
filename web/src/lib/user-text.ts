import { limits } from './facts.gen'

// What changes how other characters are shown without being seen: it could make one text look
// like another. Line breaks and tabs stay, and so do the joiners that emoji and some scripts need.
const unseen =
  /[\p{Cc}\p{Bidi_Control}\p{Cs}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e007f}]/gu
const kept = '\n\t'
// No script stacks more marks on a letter; texts that do mean to cover the lines around them.
const heaped = /(\p{M}{4})\p{M}+/gu

/** The text without characters that cannot be seen but change how it reads. */
export function visible(text: string): string {
  return text
    .replace(/\r\n|[\u2028\u2029]/g, '\n')
    .replace(unseen, (each) => (kept.includes(each) ? each : ''))
    .replace(heaped, '$1')
}

/** The beginning of a text as one line, for lists. */
export function excerpt(text: string, characters: number): string {
  const line = [
    ...visible(text.slice(0, characters * 4))
      .replace(/\s+/g, ' ')
      .trim(),
  ]
  return line.length > characters ? `${line.slice(0, characters - 1).join('')}…` : line.join('')
}

/** The web address that a text names, undefined unless it is one that is safe to offer as a link. */
export function safeAddress(text: string): URL | undefined {
  if (text.length > limits.maxURL || !/^https?:\/\/[^\s]+$/i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  // What stands before an @ looks like the host to people.
  return url.hostname && !url.username && !url.password ? url : undefined
}

/**
 * The host that a link leads to, in ASCII letters; undefined where the link's words say it
 * already, letter by letter.
 */
export function hostToShow(words: string, url: URL): string | undefined {
  const said = /^https?:\/\/([^/?#]+)(?:[/?#]|$)/i.exec(words)?.[1]
  return said?.toLowerCase() === url.host ? undefined : url.host
}

import { limits } from './facts.gen'

// Invisible characters that change how other characters are displayed and could make one text look
// like another. The joiners that emoji and some scripts need are not included.
const invisible =
  /[\p{Cc}\p{Bidi_Control}\p{Cs}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e007f}]/gu
const kept = '\n\t'
// Burmese can have six marks on a letter. Many more would overlap the adjacent lines.
const stackedMarks = /(\p{M}{8})\p{M}+/gu

/** Returns the text without invisible characters that change how it is displayed. */
export function visible(text: string): string {
  return text
    .replace(/\r\n|[\u2028\u2029]/g, '\n')
    .replace(invisible, (each) => (kept.includes(each) ? each : ''))
    .replace(stackedMarks, '$1')
}

// The characters that the service rejects, and the sequences of them that it accepts: see CheckHidden in
// market/hidden.go. JavaScript has no property for the number signs of Arabic and Syriac, which are
// displayed.
const hidden = String.raw`(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}\p{Default_Ignorable_Code_Point}]`
const shown = String.raw`(?!${hidden})[^\x00-\x7f]`
const acceptedOrHidden = new RegExp(
  String.raw`([\n\r\t]|[\x20-\x7e][\ufe0e\ufe0f]\u20e3|${shown}[\ufe0e\ufe0f]?(?:[\u200c\u200d](?=${shown}))?)|${hidden}`,
  'gu',
)

/** Returns the text without the hidden characters that the service rejects. */
export const withoutHidden = (text: string): string => text.replace(acceptedOrHidden, '$1')

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

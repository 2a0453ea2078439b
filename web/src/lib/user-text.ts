import { dropped, limits } from './facts.gen'

// Invisible characters that change how other characters are displayed and could make one text look
// like another. The joiners and variation selectors that emoji and some scripts need are not
// included, and neither are the invisible spaces of scripts without spaces, the blank between
// letters of Braille, and the tags of a flag.
const unspaced = String.raw`[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Javanese}\p{sc=Balinese}\p{sc=Sundanese}\p{sc=Tai_Le}\p{sc=New_Tai_Lue}\p{sc=Tai_Tham}\p{sc=Tai_Viet}\p{sc=Cham}\p{sc=Buginese}\p{sc=Batak}]`
const invisible = new RegExp(
  [
    String.raw`[\p{Cc}\p{Bidi_Control}\p{Cs}\u00ad\u115f\u1160\u2061-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]`,
    String.raw`(?<!${unspaced})[\u200b\u2060](?!${unspaced})`,
    String.raw`(?<!\p{sc=Mongolian}[\u180b-\u180d\u180f]?)\u180e`,
    String.raw`(?<!\p{sc=Braille})\u2800|(?<=\u2800)\u2800`,
    String.raw`(?<!\u{1f3f4}[\u{e0061}-\u{e007a}]{0,5})[\u{e0000}-\u{e007f}]`,
  ].join('|'),
  'gu',
)
const allowed = '\n\t'
// Burmese can have six marks on a letter. Many more would overlap the adjacent lines.
const stackedMarks = /(\p{M}{8})\p{M}+/gu

/** Returns the text without invisible characters that change how it is displayed. */
export function visible(text: string): string {
  return text
    .replace(/\r\n|[\u2028\u2029]/g, '\n')
    .replace(invisible, (each) => (allowed.includes(each) ? each : ''))
    .replace(stackedMarks, '$1')
}

const pasted = new RegExp(`[${dropped}]`, 'gu')

/**
 * Returns the text as the service stores it: without the format characters that arrive with pasted
 * text. The service rejects other hidden characters with a message, unless a script needs them.
 */
export const cleanText = (text: string): string => text.replace(pasted, '')

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
  const displayedHost = /^https?:\/\/([^/?#]+)(?:[/?#]|$)/i.exec(words)?.[1]
  return displayedHost?.toLowerCase() === url.host ? undefined : url.host
}

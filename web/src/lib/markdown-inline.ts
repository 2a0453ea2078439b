import { hostToShow, safeAddress } from './user-text'

/** A part of a line: plain text, formatted text or a safe link. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em' | 'strike'; children: Inline[] }
  | { kind: 'link'; text: string; href: string; host: string | undefined }

const maxDepth = 4
const maxLabel = 300
const plain = /[^\\`*_~[!h]+/y
const address = /https?:\/\/[^\s<>"'`*]+/iy
const bare = /https?:\/\/[^\s]{1,2000}/iy
const trailing = /[.,;:!?'"\]}]$/
const escapable = /[!-/:-@[-`{-~]/
const marks = [
  { mark: '**', kind: 'strong' },
  { mark: '__', kind: 'strong' },
  { mark: '~~', kind: 'strike' },
  { mark: '*', kind: 'em' },
  { mark: '_', kind: 'em' },
] as const

/** Parses emphasis, code and links. Text that is not markup remains unchanged. */
export function parseInline(text: string, depth = 0): Inline[] {
  return depth > maxDepth ? [{ kind: 'text', text }] : new Reader(text, depth).read()
}

/**
 * Parses a text in a single pass. It remembers which marks are unclosed, so that parsing takes
 * linear time.
 */
class Reader {
  private readonly pieces: Inline[] = []
  private readonly unclosed = new Set<string>()
  private pending = ''
  private at = 0
  private readonly text: string
  private readonly depth: number

  constructor(text: string, depth: number) {
    this.text = text
    this.depth = depth
  }

  read(): Inline[] {
    while (this.at < this.text.length) {
      plain.lastIndex = this.at
      const run = plain.exec(this.text)?.[0]
      if (run) this.take(run)
      else if (!this.markup()) this.take(this.text.charAt(this.at))
    }
    this.flush()
    return this.pieces
  }

  private take(run: string) {
    this.pending += run
    this.at += run.length
  }

  private flush() {
    if (this.pending) this.pieces.push({ kind: 'text', text: this.pending })
    this.pending = ''
  }

  private add(piece: Inline, length: number): true {
    this.flush()
    this.pieces.push(piece)
    this.at += length
    return true
  }

  private markup(): boolean {
    switch (this.text.charAt(this.at)) {
      case '\\':
        return this.escape()
      case '`':
        return this.code()
      case 'h':
        return this.bareLink()
      case '[':
        return this.link(this.at)
      case '!':
        return this.text.charAt(this.at + 1) === '[' && this.link(this.at + 1)
      default:
        return marks.some(({ mark, kind }) => this.emphasis(mark, kind))
    }
  }

  private escape(): boolean {
    const next = this.text.charAt(this.at + 1)
    if (!escapable.test(next)) return false
    this.pending += next
    this.at += 2
    return true
  }

  private code(): boolean {
    const fence = /`+/y
    fence.lastIndex = this.at
    const ticks = fence.exec(this.text)?.[0] ?? '`'
    const start = this.at + ticks.length
    const end = this.unclosed.has(ticks) ? -1 : this.closingTicks(ticks, start)
    if (end < 0) {
      this.unclosed.add(ticks)
      this.take(ticks)
      return true
    }
    return this.add(
      { kind: 'code', text: this.text.slice(start, end) },
      end + ticks.length - this.at,
    )
  }

  /** Returns the index of the closing backticks, which must have the same length as `ticks`. */
  private closingTicks(ticks: string, from: number): number {
    const runs = /`+/g
    runs.lastIndex = from
    for (let run = runs.exec(this.text); run; run = runs.exec(this.text)) {
      if (run[0] === ticks) return run.index
    }
    return -1
  }

  private emphasis(mark: string, kind: 'strong' | 'em' | 'strike'): boolean {
    if (this.unclosed.has(mark) || !this.text.startsWith(mark, this.at) || !this.opens(mark))
      return false
    const start = this.at + mark.length
    const end = this.closing(mark, start + 1)
    if (end < 0) {
      this.unclosed.add(mark)
      return false
    }
    const children = parseInline(this.text.slice(start, end), this.depth + 1)
    return this.add({ kind, children }, end + mark.length - this.at)
  }

  private opens(mark: string): boolean {
    const next = this.text.charAt(this.at + mark.length)
    if (!next || /\s/.test(next) || next === mark.charAt(0)) return false
    // An underscore inside a word, as in snake_case, is literal.
    return !mark.startsWith('_') || !/[\p{L}\p{N}]/u.test(this.text.charAt(this.at - 1))
  }

  private closing(mark: string, from: number): number {
    const sign = mark.charAt(0)
    for (
      let end = this.text.indexOf(mark, from);
      end >= 0;
      end = this.text.indexOf(mark, end + 1)
    ) {
      const [before, after] = [this.text.charAt(end - 1), this.text.charAt(end + mark.length)]
      const alone = before !== sign && after !== sign
      const inWord = sign === '_' && /[\p{L}\p{N}]/u.test(after)
      if (alone && !inWord && !/\s/.test(before)) return end
    }
    return -1
  }

  /** Parses a link [text](address) that begins at `start`. Images are turned into links. */
  private link(start: number): boolean {
    const label = this.text.slice(start + 1, start + 2 + maxLabel)
    const words = label.slice(0, Math.max(0, label.indexOf('](')))
    if (!label.includes('](') || /[[\]\n]/.test(words)) return false
    const from = start + words.length + 3
    const target = upToParenthesis(this.text, from)
    const url = target === undefined ? undefined : safeAddress(target)
    if (target === undefined || !url) return false
    const text = words.trim() || target
    const piece = { kind: 'link', text, href: url.href, host: hostToShow(text, url) } as const
    return this.add(piece, from + target.length + 1 - this.at)
  }

  /** Parses a web address in plain text, excluding trailing punctuation. */
  private bareLink(): boolean {
    address.lastIndex = this.at
    let words = address.exec(this.text)?.[0] ?? ''
    if (!words || /[\p{L}\p{N}]/u.test(this.text.charAt(this.at - 1))) return false
    while (trailing.test(words) || (words.endsWith(')') && !words.includes('(')))
      words = words.slice(0, -1)
    const url = safeAddress(words)
    if (!url) return false
    const piece = {
      kind: 'link',
      text: words,
      href: url.href,
      host: hostToShow(words, url),
    } as const
    return this.add(piece, words.length)
  }
}

/**
 * Returns the address between `from` and the closing parenthesis; undefined if there is no
 * parenthesis or the text is not an address.
 */
function upToParenthesis(text: string, from: number): string | undefined {
  bare.lastIndex = from
  const word = bare.exec(text)?.[0] ?? ''
  let open = 0
  for (const { 0: each, index } of word.matchAll(/[()]/g)) {
    if (each === '(') open += 1
    else if (open > 0) open -= 1
    else return word.slice(0, index)
  }
  return undefined
}

import { limits } from './facts.gen'
import { type Inline, parseInline } from './markdown-inline'
import { excerpt, visible } from './user-text'

/** A block of a user's Markdown text. */
export type Block =
  | { kind: 'paragraph' | 'heading'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'rule' }

const maxDepth = 3
// Other text after the fence would be hidden, so such a line does not count as a fence.
const fence = /^ {0,3}(`{3,}|~{3,})[\w+#.-]{0,20}[ \t]*$/
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const heading = /^ {0,3}#{1,6}[ \t]+(?=\S)/
const quote = /^ {0,3}>[ \t]?/
const item = /^( {0,3})(?:[-*+]|(\d{1,3})[.)])[ \t]+(?=\S)/

/**
 * Parses the Markdown of user texts: paragraphs with line breaks, headings, lists, quotes, code,
 * emphasis and links. HTML is treated as text and images as links. No words are hidden, because
 * users agree to these texts.
 */
export function parseMarkdown(text: string): Block[] {
  return parseBlocks(visible(text).slice(0, limits.maxDescription).split('\n'), 0)
}

/** Returns the beginning of a text as a single line without markup, for lists. */
export function summary(text: string, characters: number): string {
  return excerpt(
    parseMarkdown(text.slice(0, characters * 4))
      .map(wordsOf)
      .join(' '),
    characters,
  )
}

function wordsOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return block.children.map(textOf).join('')
    case 'code':
      return block.text
    case 'quote':
      return block.blocks.map(wordsOf).join(' ')
    case 'list':
      return block.items.flat().map(wordsOf).join(', ')
    case 'rule':
      return ''
  }
}

const textOf = (piece: Inline): string =>
  'text' in piece ? piece.text : piece.children.map(textOf).join('')

function parseBlocks(lines: string[], depth: number): Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if (!lines[at]?.trim()) {
      at += 1
      continue
    }
    const [block, end] = parseBlock(lines, at, depth)
    blocks.push(block)
    at = end
  }
  return blocks
}

/** Parses the block that starts at a line. Returns it with the index of the line after it. */
function parseBlock(lines: string[], at: number, depth: number): [Block, number] {
  const line = lines[at] ?? ''
  if (fence.test(line)) return parseCode(lines, at)
  if (rule.test(line)) return [{ kind: 'rule' }, at + 1]
  if (heading.test(line))
    return [{ kind: 'heading', children: parseInline(line.replace(heading, '').trim()) }, at + 1]
  if (depth < maxDepth && quote.test(line)) return parseQuote(lines, at, depth)
  if (depth < maxDepth && item.test(line)) return parseList(lines, at, depth)
  return parseParagraph(lines, at, depth)
}

function parseCode(lines: string[], at: number): [Block, number] {
  const mark = fence.exec(lines[at] ?? '')?.[1] ?? ''
  let end = at + 1
  while (end < lines.length && lines[end]?.trim() !== mark) end += 1
  return [{ kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end + 1]
}

function parseQuote(lines: string[], at: number, depth: number): [Block, number] {
  let end = at
  while (quote.test(lines[end] ?? '')) end += 1
  const inside = lines.slice(at, end).map((line) => line.replace(quote, ''))
  return [{ kind: 'quote', blocks: parseBlocks(inside, depth + 1) }, end]
}

function parseList(lines: string[], at: number, depth: number): [Block, number] {
  const number = item.exec(lines[at] ?? '')?.[2]
  const items: string[][] = []
  let end = at
  for (; end < lines.length; end++) {
    const line = lines[end] ?? ''
    const begins = item.exec(line)
    if (begins && (begins[2] === undefined) === (number === undefined)) {
      items.push([line.slice(begins[0].length)])
    } else if (/^(?: {2}|\t)/.test(line) && line.trim()) {
      items.at(-1)?.push(line.replace(/^(?: {2,3}|\t)/, ''))
    } else break
  }
  const start = number === undefined ? undefined : Number(number)
  return [{ kind: 'list', start, items: items.map((each) => parseBlocks(each, depth + 1)) }, end]
}

function parseParagraph(lines: string[], at: number, depth: number): [Block, number] {
  let end = at + 1
  while (end < lines.length && !startsBlock(lines[end] ?? '', depth)) end += 1
  const text = lines.slice(at, end).join('\n')
  return [{ kind: 'paragraph', children: parseInline(text) }, end]
}

function startsBlock(line: string, depth: number): boolean {
  if (!line.trim() || fence.test(line) || rule.test(line) || heading.test(line)) return true
  return depth < maxDepth && (quote.test(line) || item.test(line))
}

import { Fragment, type ReactNode } from 'react'
import { classNames } from '@/lib/class-names'
import { type Block, parseMarkdown } from '@/lib/markdown'
import type { Inline } from '@/lib/markdown-inline'
import { hostToShow, safeAddress, visible } from '@/lib/user-text'

/** Displays one line of a user's text. */
export function UserLine({ children }: { children: string }) {
  return <bdi className="[overflow-wrap:anywhere]">{visible(children)}</bdi>
}

/** Displays a user's name, which browsers must not translate. */
export function UserName({ children }: { children: string }) {
  return (
    <bdi translate="no" className="[overflow-wrap:anywhere]">
      {visible(children)}
    </bdi>
  )
}

interface Props {
  children: string
  className?: string
}

/**
 * Displays a user's text with its Markdown. It is rendered only to the elements below, so it cannot
 * run code, load anything or imitate parts of the page.
 */
export function UserText({ children, className }: Props) {
  return (
    <div className={classNames('grid min-w-0 gap-3 [overflow-wrap:anywhere]', className)}>
      {parseMarkdown(children).map(toElement)}
    </div>
  )
}

// Blocks have no ids, so the index is the key.
const toElement = (block: Block, place: number) => <BlockElement key={place} block={block} />

function BlockElement({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <Line>{block.children}</Line>
    case 'heading':
      // Not a heading element, because user text must not change the page's outline.
      return <Line className="font-semibold">{block.children}</Line>
    case 'code':
      return (
        <pre
          translate="no"
          className="rounded-lg bg-sunken px-3 py-2 font-mono text-[0.875em] whitespace-pre-wrap text-ink"
        >
          <code>{block.text}</code>
        </pre>
      )
    case 'quote':
      return (
        <blockquote className="grid gap-3 border-l-2 border-line-strong pl-3 opacity-90">
          {block.blocks.map(toElement)}
        </blockquote>
      )
    case 'list':
      return <List start={block.start} items={block.items} />
    case 'rule':
      return <hr className="border-line-strong/60" />
  }
}

function Line({ children, className }: { children: Inline[]; className?: string }) {
  return (
    <p dir="auto" className={classNames('whitespace-pre-wrap', className)}>
      {children.map(toPiece)}
    </p>
  )
}

function List({ start, items }: { start: number | undefined; items: Block[][] }) {
  const entries = items.map((blocks, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items have no other key
    <li key={place}>
      <div className="grid gap-1">{blocks.map(toElement)}</div>
    </li>
  ))
  return start === undefined ? (
    <ul className="grid list-disc gap-1 pl-5">{entries}</ul>
  ) : (
    <ol start={start} className="grid list-decimal gap-1 pl-8">
      {entries}
    </ol>
  )
}

const toPiece = (piece: Inline, place: number) => <Fragment key={place}>{pieceOf(piece)}</Fragment>

function pieceOf(piece: Inline): ReactNode {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'code':
      return (
        <code
          translate="no"
          className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.875em] text-ink"
        >
          {piece.text}
        </code>
      )
    case 'strong':
      return <strong className="font-semibold">{piece.children.map(toPiece)}</strong>
    case 'em':
      return <em>{piece.children.map(toPiece)}</em>
    case 'strike':
      return <s>{piece.children.map(toPiece)}</s>
    case 'link':
      return <UserLink {...piece} />
  }
}

/** Displays a web address from a user, as a link if it is safe. */
export function UserAddress({ children }: { children: string }) {
  const text = visible(children)
  const url = safeAddress(text)
  if (!url) return <UserLine>{children}</UserLine>
  return <UserLink text={text} href={url.href} host={hostToShow(text, url)} />
}

/** Displays a link from a user. If its text could mislead, the host is shown after it. */
function UserLink({ text, href, host }: { text: string; href: string; host: string | undefined }) {
  return (
    <a
      href={href}
      title={href}
      // A text that is itself an address.
      translate={safeAddress(text) && 'no'}
      target="_blank"
      rel="noopener nofollow ugc"
      className="text-accent underline underline-offset-4"
    >
      {text}
      {host && ' '}
      {host && (
        <span
          translate="no"
          className="rounded bg-sunken px-1 font-mono text-[0.8125em] text-ink-soft"
        >
          {host}
        </span>
      )}
    </a>
  )
}

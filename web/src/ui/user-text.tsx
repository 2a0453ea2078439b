import { classNames } from '@/lib/class-names'
import { pieces, visible } from '@/lib/user-text'

/** One line that somebody wrote. */
export function UserLine({ children }: { children: string }) {
  return <bdi className="[overflow-wrap:anywhere]">{visible(children)}</bdi>
}

/** A text that somebody wrote: its lines as they are, its links as links, nothing else. */
export function UserText({ children, className }: { children: string; className?: string }) {
  return (
    <div
      dir="auto"
      className={classNames('whitespace-pre-wrap [overflow-wrap:anywhere]', className)}
    >
      {pieces(children).map(({ text, href }, place) =>
        href ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text keep their places
            key={place}
            href={href}
            target="_blank"
            rel="noopener nofollow ugc"
            className="text-accent underline underline-offset-4"
          >
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </div>
  )
}

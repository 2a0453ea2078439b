import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bell, type LucideIcon, Mail } from 'lucide-react'
import { unreadMessagesQuery } from '@/api/conversation'
import { classNames } from '@/lib/class-names'
import { news } from '@/lib/news'
import { useStoredValue } from '@/lib/stored-value'
import { messages } from '@/messages/app'
import { Count } from '@/ui/count'

/** Links to messages and activity, with the number of unread ones. */
export function NotificationLinks() {
  const unread = useQuery(unreadMessagesQuery)
  const unseen = useStoredValue(news)?.unseen ?? []
  return (
    <>
      <Mark
        to="/messages"
        icon={Mail}
        word={messages.menu.messages}
        count={unread.data ?? 0}
        what={messages.unread}
        className="max-[22rem]:hidden"
      />
      <Mark
        to="/activity"
        icon={Bell}
        word={messages.activity}
        count={unseen.length}
        what={messages.new}
      />
    </>
  )
}

interface Props {
  to: '/messages' | '/activity'
  icon: LucideIcon
  word: string
  count: number
  what: string
  className?: string
}

function Mark({ to, icon: Icon, word, count, what, className }: Props) {
  return (
    <Link
      to={to}
      title={word}
      className={classNames(
        'relative grid size-9 shrink-0 place-items-center rounded-full text-ink-soft no-underline transition-colors hover:bg-sunken hover:text-ink data-[status=active]:text-ink',
        className,
      )}
    >
      <Icon aria-hidden className="size-5" />
      <span className="sr-only">{word}</span>
      {count > 0 && (
        <span className="absolute -top-1 -right-0.5 grid">
          <Count of={count} what={what} />
        </span>
      )}
    </Link>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { conversationsQuery } from '@/api/conversation'
import { classNames } from '@/lib/class-names'
import { type Folder, folders } from '@/lib/messages-params'
import { messages } from '@/messages/messages'

/** The folders of conversations. They are links, so each folder has a URL. */
export function FolderLinks({ current }: { current: Folder }) {
  const requests = useInfiniteQuery(conversationsQuery('requests')).data?.total ?? 0
  return (
    <nav aria-label={messages.folders} className="mb-4 overflow-x-auto">
      <ul className="flex w-max min-w-full gap-1 border-b border-line">
        {folders.map((folder) => (
          <li key={folder}>
            <Link
              to="/messages"
              search={folder === 'inbox' ? {} : { folder }}
              resetScroll={false}
              // Otherwise the router marks the inbox as current on every page of a conversation.
              activeOptions={{ exact: true }}
              aria-current={folder === current ? 'page' : undefined}
              className={classNames(
                'inline-flex items-center gap-2 border-b-2 px-3 py-2.5 text-[0.9375rem] whitespace-nowrap no-underline',
                folder === current
                  ? 'border-accent font-medium text-ink'
                  : 'border-transparent text-ink-soft hover:text-ink',
              )}
            >
              {messages.folder[folder]}
              {folder === 'requests' && requests > 0 && (
                <span className="figures min-w-6 rounded-full bg-sunken px-1.5 text-center text-[0.8125rem] text-ink-soft">
                  {requests}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

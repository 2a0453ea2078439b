import { excerpt } from '@/lib/user-text'

// The number of characters of a name in a list. A longer name would push other facts out of view.
const longest = 40

/** A user's display name, followed by the username, which is unique. */
export function PersonName({ name, username }: { name: string; username: string }) {
  const displayName = excerpt(name, longest)
  return (
    <span translate="no" className="[overflow-wrap:anywhere]">
      {displayName && displayName !== username && <bdi>{displayName} </bdi>}
      <span className="font-normal text-ink-soft">@{username}</span>
    </span>
  )
}

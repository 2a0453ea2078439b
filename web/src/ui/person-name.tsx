import { excerpt } from '@/lib/user-text'

// The number of characters of a name in a list. A longer name would push other facts out of view.
const longest = 40

/** A user's display name, followed by the username, which is unique. */
export function PersonName({ name, username }: { name: string; username: string }) {
  const shown = excerpt(name, longest)
  return (
    <span translate="no" className="[overflow-wrap:anywhere]">
      {shown && shown !== username && <bdi>{shown} </bdi>}
      <span className="font-normal text-ink-soft">@{username}</span>
    </span>
  )
}

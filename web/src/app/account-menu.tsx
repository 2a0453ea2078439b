import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import {
  ChevronDown,
  CircleCheckBig,
  Coins,
  Gavel,
  LogOut,
  Mail,
  Scale,
  Settings,
  UserRound,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { errorText } from '@/api/error'
import type { Human } from '@/api/human'
import { signOut } from '@/api/session'
import { visible } from '@/lib/user-text'
import { messages } from '@/messages/app'
import { common } from '@/messages/common'
import { messages as moderation } from '@/messages/moderation'
import { ShortHex } from '@/ui/address'
import { Avatar } from '@/ui/avatar'
import { toast } from '@/ui/toast'

const itemClass =
  'flex w-full items-center gap-3 rounded-lg px-3 py-2.5 text-left text-[0.9375rem] no-underline hover:bg-sunken'

const links = [
  { to: '/welcome', icon: CircleCheckBig, word: messages.menu.firstSteps },
  { to: '/profile', icon: UserRound, word: messages.menu.profile },
  { to: '/earnings', icon: Coins, word: common.earnings },
  { to: '/messages', icon: Mail, word: messages.menu.messages },
  { to: '/notices', icon: Gavel, word: moderation.notices.title },
  { to: '/settings', icon: Settings, word: messages.menu.settings },
] as const
const validate = { to: '/validate', icon: Scale, word: messages.menu.validate } as const

/** The account menu of the signed-in human. */
export function AccountMenu({ human }: { human: Human }) {
  const details = useRef<HTMLDetailsElement>(null)
  const router = useRouter()
  const close = () => details.current?.removeAttribute('open')
  useEffect(
    () => router.subscribe('onBeforeNavigate', () => details.current?.removeAttribute('open')),
    [router],
  )
  const leave = () => {
    close()
    details.current?.querySelector('summary')?.focus()
  }
  return (
    <details
      ref={details}
      className="group relative"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
      onKeyDown={(event) => event.key === 'Escape' && leave()}
    >
      <summary className="flex h-9 list-none items-center gap-2 rounded-full border border-line bg-surface pr-2.5 pl-1 text-sm font-medium hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <Avatar name={human.name} size="small" />
        <span translate="no" className="max-w-32 truncate max-md:sr-only">
          {visible(human.name)}
        </span>
        <ChevronDown
          aria-hidden
          className="size-4 text-ink-soft transition-transform group-open:rotate-180"
        />
      </summary>
      <div className="absolute top-11 right-0 w-64 rounded-2xl border border-line bg-surface p-2 shadow-lift">
        <p className="px-3 py-2 text-sm text-ink-soft">
          <span translate="no" className="block truncate font-medium text-ink">
            {`@${human.username}`}
          </span>
          <ShortHex hex={human.walletAddress} />
        </p>
        {(human.isValidator ? [...links, validate] : links).map(({ to, icon: Icon, word }) => (
          <Link key={to} to={to} onClick={close} className={itemClass}>
            <Icon aria-hidden className="size-4 text-ink-soft" />
            {word}
          </Link>
        ))}
        <SignOutItem />
      </div>
    </details>
  )
}

function SignOutItem() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leaving = useMutation({
    mutationFn: () => signOut(queries),
    onSuccess: () => navigate({ to: '/' }),
    onError: (error) => toast(errorText(error), 'bad'),
  })
  return (
    <button
      type="button"
      disabled={leaving.isPending}
      onClick={() => leaving.mutate()}
      className={itemClass}
    >
      <LogOut aria-hidden className="size-4 text-ink-soft" />
      {messages.menu.signOut}
    </button>
  )
}

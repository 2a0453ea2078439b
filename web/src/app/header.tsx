import { Link } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { requestSignIn } from '@/chain/sign-in-request'
import { classNames } from '@/lib/class-names'
import { messages } from '@/messages/app'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { Logo } from '@/ui/logo'
import { AccountMenu } from './account-menu'
import { NotificationLinks } from './notification-links'

const linkClass =
  'rounded-lg px-2.5 py-2 text-[0.9375rem] text-ink-soft no-underline transition-colors hover:text-ink data-[status=active]:font-medium data-[status=active]:text-ink sm:px-3'

export function Header() {
  const human = useSession()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper/90 backdrop-blur">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-1 px-4 sm:gap-3 sm:px-6">
        <Link
          to="/"
          className="mr-auto flex items-center gap-2.5 font-semibold tracking-tight no-underline"
          aria-label={messages.header.home}
        >
          <Logo />
          <span className={human ? 'max-sm:hidden' : 'max-xs:hidden'}>{common.appName}</span>
        </Link>
        <nav aria-label={messages.header.main} className="flex items-center">
          <Link to="/tasks" className={linkClass}>
            {messages.header.tasks}
          </Link>
          {human && (
            <Link to="/work" className={linkClass}>
              <span className="sm:hidden">{messages.header.work}</span>
              <span className="hidden sm:inline">{messages.header.myWork}</span>
            </Link>
          )}
          <Link to="/help" className={classNames(linkClass, human && 'max-sm:hidden')}>
            {messages.header.help}
          </Link>
        </nav>
        {human && <NotificationLinks />}
        {human && <AccountMenu human={human} />}
        {human === null && (
          <Button size="small" onClick={() => requestSignIn()}>
            {common.signIn}
          </Button>
        )}
        {human === undefined && <span className="h-9 w-20" />}
      </div>
    </header>
  )
}

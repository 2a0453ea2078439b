import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { instanceQuery } from '@/api/moderation'
import { messages } from '@/messages/app'
import { common } from '@/messages/common'
import { messages as moderation } from '@/messages/moderation'
import { ThemeSwitch } from '@/ui/theme-switch'

const linkClass = 'text-ink-soft no-underline hover:text-ink hover:underline underline-offset-4'

/** The links of the operator, if there are any. */
function OperatorLinks() {
  const instance = useQuery(instanceQuery).data
  const words = moderation.footer
  return [
    { href: instance?.terms_url, word: words.terms },
    { href: instance?.privacy_url, word: words.privacy },
    { href: instance?.contact_url, word: words.contact },
  ].map(
    ({ href, word }) =>
      href && (
        <a key={word} href={href} rel="noopener" className={linkClass}>
          {word}
        </a>
      ),
  )
}

export function Footer() {
  return (
    <footer className="mt-16 border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-8 gap-y-4 px-4 py-8 text-sm sm:px-6">
        <nav aria-label={messages.footer.label} className="flex flex-1 flex-wrap gap-x-6 gap-y-2">
          <Link to="/help" className={linkClass}>
            {common.howItWorks}
          </Link>
          <a href="/skill.md" className={linkClass}>
            {messages.footer.forAgents}
          </a>
          <a href="/docs" className={linkClass}>
            {messages.footer.api}
          </a>
          <OperatorLinks />
        </nav>
        <ThemeSwitch />
      </div>
    </footer>
  )
}

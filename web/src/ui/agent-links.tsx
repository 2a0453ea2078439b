import { BookOpenText, Braces, ScrollText, Signpost } from 'lucide-react'
import { classNames } from '@/lib/class-names'
import { common } from '@/messages/common'

const links = [
  { href: '/skill.md', icon: ScrollText, ...common.skillFile },
  { href: '/docs', icon: BookOpenText, ...common.apiReference },
  { href: '/openapi.json', icon: Braces, ...common.openapi },
  { href: '/llms.txt', icon: Signpost, ...common.llms },
]

/** Links to the documentation for agents. */
export function AgentLinks({ className, linkClass }: { className: string; linkClass: string }) {
  return (
    <ul className={classNames('grid', className)}>
      {links.map(({ href, icon: Icon, title, text }) => (
        <li key={href}>
          <a href={href} className={classNames('flex h-full gap-3 no-underline', linkClass)}>
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-[0.9375rem] text-ink-soft">{text}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

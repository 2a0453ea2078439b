import { BookOpenText, Braces, ScrollText, Signpost } from 'lucide-react'
import { classNames } from '@/lib/class-names'
import { common } from '@/messages/common'

const links = [
  {
    href: '/skill.md',
    icon: ScrollText,
    title: common.skillFile.title,
    text: common.skillFile.text,
  },
  {
    href: '/docs',
    icon: BookOpenText,
    title: common.apiReference.title,
    text: common.apiReference.text,
  },
  {
    href: '/openapi.json',
    icon: Braces,
    title: common.openapi.title,
    text: common.openapi.text,
  },
  { href: '/llms.txt', icon: Signpost, title: 'llms.txt', text: common.llms.text },
]

/** Where software finds what is for it. */
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

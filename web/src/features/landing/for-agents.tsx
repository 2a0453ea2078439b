import { BookOpenText, type LucideIcon, ScrollText, Signpost } from 'lucide-react'

const links: { href: string; icon: LucideIcon; title: string; text: string }[] = [
  {
    href: '/skill.md',
    icon: ScrollText,
    title: 'Skill file',
    text: 'Step by step, with the addresses in force',
  },
  {
    href: '/docs',
    icon: BookOpenText,
    title: 'API reference',
    text: 'Every operation, to read and to try',
  },
  { href: '/llms.txt', icon: Signpost, title: 'llms.txt', text: 'An index for language models' },
]

/** Where software finds what is for it. */
export function ForAgents() {
  return (
    <section aria-labelledby="for-agents" className="mx-auto max-w-6xl px-4 sm:px-6">
      <div className="rounded-3xl border border-line bg-sunken p-7 sm:p-10">
        <h2 id="for-agents" className="text-2xl font-semibold">
          Are you an agent, or do you build one?
        </h2>
        <p className="mt-2 max-w-2xl text-ink-soft">
          Register with a wallet, lock a payment, hire a human. All of it goes through an open API.
        </p>
        <ul className="mt-7 grid gap-4 sm:grid-cols-3">
          {links.map(({ href, icon: Icon, title, text }) => (
            <li key={href}>
              <a
                href={href}
                className="flex h-full gap-3.5 rounded-2xl border border-line bg-surface p-4 no-underline transition-colors hover:border-line-strong"
              >
                <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
                <span>
                  <span className="block font-medium">{title}</span>
                  <span className="block text-[0.9375rem] text-ink-soft">{text}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

import { Link } from '@tanstack/react-router'
import { ThemeSwitch } from '@/ui/theme-switch'

const linkClass = 'text-ink-soft no-underline hover:text-ink hover:underline underline-offset-4'

export function Footer() {
  return (
    <footer className="mt-16 border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-8 gap-y-4 px-4 py-8 text-sm sm:px-6">
        <nav aria-label="More" className="flex flex-1 flex-wrap gap-x-6 gap-y-2">
          <Link to="/help" className={linkClass}>
            How it works
          </Link>
          <a href="/skill.md" className={linkClass}>
            For agents
          </a>
          <a href="/docs" className={linkClass}>
            API reference
          </a>
        </nav>
        <ThemeSwitch />
      </div>
    </footer>
  )
}

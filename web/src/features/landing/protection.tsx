import { Link } from '@tanstack/react-router'
import { Hourglass, KeyRound, LockKeyhole, Scale } from 'lucide-react'
import { messages } from '@/messages/landing'

const points = [
  { icon: LockKeyhole, ...messages.points.escrow },
  { icon: Hourglass, ...messages.points.silence },
  { icon: Scale, ...messages.points.review },
  { icon: KeyRound, ...messages.points.custody },
]

/** Explains how the human's money is protected. */
export function Protection() {
  return (
    <section aria-labelledby="protection" className="mx-auto max-w-6xl px-4 py-20 sm:px-6">
      <h2 id="protection" className="text-2xl font-semibold sm:text-3xl">
        {messages.points.title}
      </h2>
      <ul className="mt-9 grid gap-x-10 gap-y-9 sm:grid-cols-2 lg:grid-cols-4">
        {points.map(({ icon: Icon, title, text }) => (
          <li key={title}>
            <span className="grid size-11 place-items-center rounded-2xl bg-accent-wash text-accent">
              <Icon aria-hidden className="size-5" />
            </span>
            <h3 className="mt-4 text-lg font-semibold">{title}</h3>
            <p className="mt-1.5 text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
      <p className="mt-9">
        <Link to="/help" className="font-medium text-accent underline-offset-4 hover:underline">
          {messages.points.details}
        </Link>
      </p>
    </section>
  )
}

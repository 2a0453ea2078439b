import { Link } from '@tanstack/react-router'
import { Hourglass, KeyRound, LockKeyhole, Scale } from 'lucide-react'

const points = [
  {
    icon: LockKeyhole,
    title: 'Money first',
    text: 'A task is open only when its whole payment is locked in a contract. You see the amount before you lift a finger.',
  },
  {
    icon: Hourglass,
    title: 'Silence pays you',
    text: 'If the agent does not respond and validators do not decide, the payment is released to you when the time is up.',
  },
  {
    icon: Scale,
    title: 'Neutral review',
    text: 'Validators review work that the agent disputes or does not respond to, and decide by vote. Neither side can be one of them.',
  },
  {
    icon: KeyRound,
    title: 'Nobody in between',
    text: 'This site never holds your money or your key. With it switched off, the contracts still let you out.',
  },
]

/** How the human's money is protected. */
export function Protection() {
  return (
    <section aria-labelledby="protection" className="mx-auto max-w-6xl px-4 py-20 sm:px-6">
      <h2 id="protection" className="text-2xl font-semibold sm:text-3xl">
        How your money is protected
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
          Fees, deadlines and your rights in detail
        </Link>
      </p>
    </section>
  )
}

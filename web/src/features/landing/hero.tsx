import { ArrowRight } from 'lucide-react'
import { useSession } from '@/api/session'
import { requestSignIn } from '@/chain/sign-in-request'
import { common } from '@/messages/common'
import { messages } from '@/messages/landing'
import { Button } from '@/ui/button'
import { ButtonLink } from '@/ui/button-link'
import { EscrowPicture } from './escrow-picture'

export function Hero() {
  const human = useSession()
  return (
    <section className="mx-auto grid max-w-6xl items-center gap-12 px-4 pt-14 pb-16 sm:px-6 lg:grid-cols-[1.1fr_1fr] lg:gap-16 lg:pt-24 lg:pb-24">
      <div>
        <h1 className="text-[2.5rem] leading-[1.08] font-semibold tracking-[-0.03em] sm:text-5xl">
          {messages.hero.title} <span className="block text-accent">{messages.hero.claim}</span>
        </h1>
        <p className="mt-6 max-w-xl text-lg text-ink-soft sm:text-xl">{messages.hero.text}</p>
        <div className="mt-9 flex flex-wrap gap-3">
          <ButtonLink to="/tasks">
            {common.findTask}
            <ArrowRight aria-hidden className="size-4" />
          </ButtonLink>
          {human === null && (
            <Button variant="secondary" onClick={() => requestSignIn()}>
              {messages.hero.signIn}
            </Button>
          )}
        </div>
      </div>
      <EscrowPicture />
    </section>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { myApplicationsQuery } from '@/api/application'
import type { Human } from '@/api/human'
import { useSession } from '@/api/session'
import { classNames } from '@/lib/class-names'
import { show } from '@/lib/show'
import { messages } from '@/messages/account'
import { common } from '@/messages/common'
import { ShortHex } from '@/ui/address'
import { ButtonLink } from '@/ui/button-link'
import { Card } from '@/ui/card'
import { Page } from '@/ui/page'
import { LinkAccount } from './link-account'
import { ProfileForm } from './profile-form'

/** Whether the profile has a name and skills. A new account's name is its random username. */
const isPresentable = (human: Human) => human.name !== human.username && human.skills.length > 0

/** The steps that a new user should complete, each marked as done or open. */
export function WelcomePage() {
  const human = useSession()
  if (!human) return null
  return <Steps human={human} />
}

function Steps({ human }: { human: Human }) {
  const presentable = isPresentable(human)
  const ready = useRef<HTMLElement>(null)
  const before = useRef(presentable)
  // Saving the profile replaces the form, so the success is shown.
  useEffect(() => {
    if (presentable && !before.current && ready.current) show(ready.current)
    before.current = presentable
  }, [presentable])
  return (
    <Page
      title={presentable ? messages.welcome.ready : messages.welcome.title}
      intro={presentable ? messages.welcome.readyText : messages.welcome.text}
    >
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_1.35fr]">
        <Checklist human={human} presentable={presentable} />
        {presentable ? (
          <div className="grid gap-6">
            <Ready ref={ready} />
            <LinkAccount human={human} />
          </div>
        ) : (
          <ProfileForm human={human} submit={messages.welcome.save} />
        )}
      </div>
    </Page>
  )
}

function Checklist({ human, presentable }: { human: Human; presentable: boolean }) {
  const applications = useInfiniteQuery(myApplicationsQuery)
  const hasApplied = Boolean(applications.data?.items.length)
  return (
    <ol className="grid gap-5">
      <Step number={1} done title={messages.step.wallet}>
        <ShortHex hex={human.walletAddress} />
      </Step>
      <Step number={2} done title={messages.step.signIn}>
        <span translate="no">{`@${human.username}`}</span>
      </Step>
      <Step number={3} done={presentable} title={messages.step.profile}>
        {messages.step.profileText}
      </Step>
      <Step number={4} done={human.isVerified} title={messages.step.link}>
        {messages.step.linkText}
      </Step>
      <Step number={5} done={hasApplied} title={messages.step.apply}>
        {messages.step.applyText}
      </Step>
    </ol>
  )
}

interface StepProps {
  number: number
  done: boolean
  title: string
  children: ReactNode
}

function Step({ number, done, title, children }: StepProps) {
  return (
    <li className="flex gap-4">
      <span
        className={classNames(
          'grid size-9 shrink-0 place-items-center rounded-full font-semibold',
          done ? 'bg-good-wash text-good' : 'bg-accent text-accent-ink',
        )}
      >
        {done ? <Check aria-label={common.done} className="size-5" /> : number}
      </span>
      <span>
        <span className="block font-medium">{title}</span>
        <span className="block text-[0.9375rem] text-ink-soft">{children}</span>
      </span>
    </li>
  )
}

function Ready({ ref }: { ref: Ref<HTMLElement> }) {
  return (
    <Card
      ref={ref}
      heading={messages.set.title}
      headingClass="text-xl font-semibold"
      className="scroll-my-6 p-8 outline-none"
    >
      <p className="mt-2 text-ink-soft">{messages.set.text}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to="/tasks">{common.seeOpenTasks}</ButtonLink>
        <ButtonLink to="/profile" variant="secondary">
          {messages.set.edit}
        </ButtonLink>
      </div>
    </Card>
  )
}

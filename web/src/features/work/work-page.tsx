import { useSearch } from '@tanstack/react-router'
import { Coins } from 'lucide-react'
import type { Human } from '@/api/human'
import { useSession } from '@/api/session'
import { ErrorBanner } from '@/components/error-banner'
import { type WorkPart, workParts } from '@/lib/work-params'
import { common } from '@/messages/common'
import { messages } from '@/messages/work'
import { Button } from '@/ui/button'
import { ButtonLink } from '@/ui/button-link'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { EmptyPart } from './empty-part'
import { partOf } from './entries'
import { Parts } from './parts'
import { UpNext } from './up-next'
import { type Planned, usePlan } from './use-entries'
import { WorkCard } from './work-card'

/** The page with the human's applications and tasks, each with its next step. */
export function WorkPage() {
  const me = useSession()
  return (
    <Page
      title={messages.title}
      intro={messages.intro}
      action={
        <ButtonLink to="/earnings" variant="secondary">
          <Coins aria-hidden className="size-4" />
          {common.earnings}
        </ButtonLink>
      }
    >
      {me && <Work me={me} />}
    </Page>
  )
}

function Work({ me }: { me: Human }) {
  const { part: requested } = useSearch({ from: '/own/work' })
  const work = usePlan(me)
  if (work.error) return <ErrorBanner error={work.error} retry={work.retry} />
  if (work.isPending) return <SkeletonList items={4} className="h-36" />
  const part = requested ?? firstOf(work.plan)
  const visible = work.plan.filter(({ entry }) => partOf(entry) === part)
  return (
    <div className="grid gap-8">
      <UpNext plan={work.plan} />
      <Parts plan={work.plan} current={part} atLeast={work.hasMore} />
      {visible.length > 0 ? (
        <ul className="grid gap-4">
          {visible.map((planned) => (
            <WorkCard key={planned.entry.task.id} planned={planned} />
          ))}
        </ul>
      ) : (
        <EmptyPart part={part} />
      )}
      {work.hasMore && (
        <Button
          variant="secondary"
          className="justify-self-center"
          busy={work.isReadingMore}
          onClick={work.readMore}
        >
          {messages.older}
        </Button>
      )}
    </div>
  )
}

/**
 * Returns the first section with an action for the human, or the first one that is not empty.
 */
function firstOf(plan: Planned[]): WorkPart {
  const has = (part: WorkPart, mine: boolean) =>
    plan.some(({ entry, step }) => partOf(entry) === part && (!mine || step.mine))
  const order: WorkPart[] = ['disputed', 'active', 'review', 'applied', 'done']
  return (
    order.find((part) => has(part, true)) ?? order.find((part) => has(part, false)) ?? workParts[0]
  )
}

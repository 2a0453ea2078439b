import { useInfiniteQuery } from '@tanstack/react-query'
import { Gavel, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Notice, noticesQuery } from '@/api/moderation'
import { Loading } from '@/components/loading'
import { wordOf } from '@/lib/known'
import { messages } from '@/messages/moderation'
import { Badge } from '@/ui/badge'
import { Card } from '@/ui/card'
import { EmptyState } from '@/ui/empty-state'
import { LoadMore } from '@/ui/load-more'
import { Page } from '@/ui/page'
import { Time } from '@/ui/time'
import { UserText } from '@/ui/user-text'
import { Appeal } from './appeal'

const words = messages.notices

/** The page with the moderators' measures against the signed-in human. */
export function NoticesPage() {
  return (
    <Page title={words.title} intro={`${words.intro} ${words.money}`}>
      <Notices />
    </Page>
  )
}

function Notices() {
  const list = useInfiniteQuery(noticesQuery)
  if (!list.data) return <Loading query={list} items={2} className="h-40" />
  if (list.data.items.length === 0)
    return (
      <EmptyState icon={ShieldCheck} title={words.none}>
        {words.noneText}
      </EmptyState>
    )
  return (
    <div className="grid max-w-3xl gap-6">
      {list.data.items.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
      <LoadMore query={list} />
    </div>
  )
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { measure, subjectType, endedAt, decidedAt } = notice
  return (
    <Card
      heading={wordOf(words.measure, measure)}
      headingClass="text-lg font-semibold"
      className="p-6"
    >
      <p className="mb-4 flex flex-wrap items-center gap-3 text-sm text-ink-soft">
        {wordOf(words.subject, subjectType)}
        <Time at={decidedAt} happened />
        <Badge tone={endedAt ? 'plain' : 'wait'} icon={Gavel}>
          {endedAt ? words.ended : words.inForce}
        </Badge>
      </p>
      <dl className="grid gap-3">
        <Line term={words.facts}>
          <UserText>{notice.facts}</UserText>
        </Line>
        <Line term={words.clause}>{notice.clause}</Line>
        <Line term={words.territory}>{notice.territory}</Line>
        <Line term={words.automation}>{wordOf(words.automations, notice.automation)}</Line>
      </dl>
      <Appeal notice={notice} />
    </Card>
  )
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-soft">{term}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { BellOff } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { activityQuery } from '@/api/activity'
import { Loading } from '@/components/loading'
import type { ActivityParams } from '@/lib/activity-params'
import { markSeen, news } from '@/lib/news'
import { serverNow } from '@/lib/now'
import { useStoredValue } from '@/lib/stored-value'
import { messages } from '@/messages/activity'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { ButtonLink } from '@/ui/button-link'
import { EmptyState } from '@/ui/empty-state'
import { LoadMore } from '@/ui/load-more'
import { Page } from '@/ui/page'
import { ActivityFilters } from './activity-filters'
import { Feed } from './feed'

const day = 86_400_000

/** The page with the signed-in human's task, payment and message events. */
export function ActivityPage() {
  const params = useSearch({ from: '/own/activity' })
  const navigate = useNavigate({ from: '/activity' })
  const change = (next: ActivityParams) =>
    void navigate({ search: next, replace: true, resetScroll: false })
  return (
    <Page title={messages.title} intro={messages.intro}>
      <div className="grid items-start gap-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <ActivityFilters params={params} onChange={change} />
        <Results params={params} onClear={() => change({})} />
      </div>
    </Page>
  )
}

function Results({ params, onClear }: { params: ActivityParams; onClear: () => void }) {
  const after = useMemo(
    () => (params.days ? new Date(serverNow().getTime() - Number(params.days) * day) : undefined),
    [params.days],
  )
  const feed = useInfiniteQuery(activityQuery({ type: params.type, after }))
  const unseen = useUnseen(feed.data !== undefined)
  if (!feed.data) return <Loading query={feed} items={5} className="h-20" />
  const activities = feed.data.items
  if (activities.length === 0)
    return <NoActivity isFiltered={Boolean(params.type ?? params.days)} onClear={onClear} />
  return (
    <div>
      <Feed activities={activities} unseen={unseen} />
      <LoadMore query={feed} />
    </div>
  )
}

/**
 * Returns the ids of the items that were new when the page was opened, or have become new since.
 * While the feed is shown, they count as seen.
 */
function useUnseen(isShown: boolean): ReadonlySet<string> {
  const unseen = useStoredValue(news)?.unseen
  const [all, setAll] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (!isShown || !unseen?.length) return
    setAll((before) => new Set([...before, ...unseen]))
    markSeen()
  }, [isShown, unseen])
  return all
}

function NoActivity({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState
      icon={BellOff}
      title={messages.none.filtered}
      action={
        <Button variant="secondary" onClick={onClear}>
          {messages.none.showAll}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={BellOff}
      title={messages.none.title}
      action={<ButtonLink to="/tasks">{common.seeOpenTasks}</ButtonLink>}
    >
      {messages.none.text}
    </EmptyState>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Download, Wallet } from 'lucide-react'
import { useSymbol } from '@/api/contracts'
import { paidTasksQuery } from '@/api/earnings'
import { useSession } from '@/api/session'
import type { Task } from '@/api/task'
import { Loading } from '@/components/loading'
import { download } from '@/lib/csv'
import { useNow } from '@/lib/now'
import { common } from '@/messages/common'
import { messages } from '@/messages/earnings'
import { Button } from '@/ui/button'
import { ButtonLink } from '@/ui/button-link'
import { Card } from '@/ui/card'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { Chart } from './chart'
import { Credits } from './credits'
import { earningsCsv } from './export'
import { Figures } from './figures'
import { History } from './history'
import { Losses } from './losses'
import { lastMonths } from './months'

const monthsShown = 12

/** The page with the human's earnings and escrowed payments, and a download of all payments. */
export function EarningsPage() {
  const me = useSession()
  const paid = useQuery(paidTasksQuery)
  const symbol = useSymbol()
  return (
    <Page
      title={common.earnings}
      intro={messages.intro}
      action={
        paid.data &&
        paid.data.length > 0 && (
          <Button
            variant="secondary"
            onClick={() => download('earnings.csv', 'text/csv', earningsCsv(paid.data, symbol))}
          >
            <Download aria-hidden className="size-4" />
            {messages.downloadCsv}
          </Button>
        )
      }
    >
      <div className="grid gap-8">
        {me && <Figures me={me} paid={paid.data} />}
        {me && <Credits me={me} />}
        {paid.data ? (
          <Payments paid={paid.data} />
        ) : (
          <Loading query={paid} items={2} className="h-48" />
        )}
        <Losses />
      </div>
    </Page>
  )
}

function Payments({ paid }: { paid: Task[] }) {
  const now = useNow()
  if (paid.length === 0) {
    return (
      <EmptyState
        icon={Wallet}
        title={messages.none.title}
        action={<ButtonLink to="/tasks">{common.findTask}</ButtonLink>}
      >
        {messages.none.text}
      </EmptyState>
    )
  }
  return (
    <>
      <Card
        heading={messages.byMonth}
        headingClass="mb-5 text-xl font-semibold"
        className="p-5 sm:p-7"
      >
        <Chart months={lastMonths(paid, now, monthsShown)} />
      </Card>
      <History paid={paid} />
    </>
  )
}

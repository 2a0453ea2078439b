import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Wallet } from 'lucide-react'
import { useContracts } from '@/api/contracts'
import { paidTasksQuery } from '@/api/earnings'
import { useSession } from '@/api/session'
import type { Task } from '@/api/task'
import { ErrorBanner } from '@/components/error-banner'
import { download } from '@/lib/csv'
import { useNow } from '@/lib/now'
import { common } from '@/messages/common'
import { messages } from '@/messages/earnings'
import { Button, buttonClass } from '@/ui/button'
import { Card } from '@/ui/card'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'
import { SkeletonList } from '@/ui/skeleton'
import { Chart } from './chart'
import { Credits } from './credits'
import { earningsCsv } from './export'
import { Figures } from './figures'
import { History } from './history'
import { Losses } from './losses'
import { lastMonths } from './months'

const monthsShown = 12

/** The human's earnings, payments in escrow, and all payments as a download. */
export function EarningsPage() {
  const me = useSession()
  const paid = useQuery(paidTasksQuery)
  const symbol = useContracts()?.token.symbol ?? ''
  return (
    <Page
      title={common.earnings}
      intro={messages.intro}
      action={
        paid.data &&
        paid.data.length > 0 && (
          <Button look="secondary" onClick={() => save(paid.data, symbol)}>
            <Download aria-hidden className="size-4" />
            {messages.downloadCsv}
          </Button>
        )
      }
    >
      <div className="grid gap-8">
        {me && <Figures me={me} paid={paid.data} symbol={symbol} />}
        {me && <Credits me={me} symbol={symbol} />}
        {paid.isPending && <SkeletonList items={2} className="h-48" />}
        {paid.isLoadingError && (
          <ErrorBanner error={paid.error} retry={() => void paid.refetch()} />
        )}
        {paid.data && <Payments paid={paid.data} symbol={symbol} />}
        <Losses symbol={symbol} />
      </div>
    </Page>
  )
}

const save = (paid: Task[], symbol: string) =>
  download('earnings.csv', 'text/csv', earningsCsv(paid, symbol))

function Payments({ paid, symbol }: { paid: Task[]; symbol: string }) {
  const now = useNow()
  if (paid.length === 0) {
    return (
      <EmptyState
        icon={Wallet}
        title={messages.none.title}
        action={
          <Link to="/tasks" className={buttonClass()}>
            {common.findTask}
          </Link>
        }
      >
        {messages.none.text}
      </EmptyState>
    )
  }
  return (
    <>
      <Card aria-labelledby="months" className="p-5 sm:p-7">
        <h2 id="months" className="mb-5 text-xl font-semibold">
          {messages.byMonth}
        </h2>
        <Chart months={lastMonths(paid, now, monthsShown)} symbol={symbol} />
      </Card>
      <History paid={paid} symbol={symbol} />
    </>
  )
}

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  Ban,
  CircleDashed,
  Handshake,
  Hourglass,
  type LucideIcon,
  TimerOff,
  Undo2,
  UserRoundCheck,
} from 'lucide-react'
import { type Application, myTaskApplicationsQuery, requestWithdrawal } from '@/api/application'
import { hasOffer, type Offers } from '@/api/offers'
import { useSession } from '@/api/session'
import type { Task } from '@/api/task'
import { useTransaction } from '@/chain/transactions'
import { StakeRisk } from '@/components/stake-risk'
import { TokenAmount } from '@/components/token-amount'
import { TransactionPanel } from '@/components/transaction-panel'
import type { ApplicationStatus } from '@/lib/facts.gen'
import { entryOf, plain } from '@/lib/known'
import { messages } from '@/messages/task'
import { Badge, type Tone } from '@/ui/badge'
import { Button } from '@/ui/button'
import { ButtonLink } from '@/ui/button-link'
import { Card } from '@/ui/card'
import { Time } from '@/ui/time'
import { toast } from '@/ui/toast'
import { UserText } from '@/ui/user-text'
import { withdrawIntent, withdrawPurpose } from './stake-intents'

/** The tone and icon for each application status. */
const styles: Record<ApplicationStatus, { tone: Tone; icon: LucideIcon }> = {
  new: { tone: 'wait', icon: CircleDashed },
  pending: { tone: 'accent', icon: Hourglass },
  accepted: { tone: 'good', icon: Handshake },
  rejected: { tone: 'bad', icon: Ban },
  withdrawn: { tone: 'plain', icon: Undo2 },
  expired: { tone: 'plain', icon: TimerOff },
  released: { tone: 'plain', icon: UserRoundCheck },
}

interface Props {
  task: Task
  application: Application
  offers: Offers
  /** Whether the transaction that locks the stake is in progress. */
  isBusy: boolean
  /**
   * Called when a withdrawal begins. The transaction that locked the stake is then no longer shown.
   */
  onWithdraw: () => void
}

/** The signed-in human's application: its status, its stake and the option to withdraw. */
export function MyApplication({ task, application, offers, isBusy, onWithdraw }: Props) {
  const { status } = application
  const text = entryOf(messages.application.status, status)
  const withdrawing = useWithdrawal(task, application, onWithdraw)
  const isWaiting = application.status === 'pending'
  const isIdle = withdrawing.state.name === 'idle'
  return (
    <>
      <Card aria-labelledby="own-application" className="p-6">
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h2 id="own-application" className="text-lg font-semibold">
            {messages.application.title}
          </h2>
          <Badge {...(entryOf(styles, status) ?? styles.new)}>{text?.word ?? plain(status)}</Badge>
        </div>
        {text && <p className="mt-2 text-[0.9375rem] text-ink-soft">{text.means}</p>}
        {application.status === 'rejected' && application.stakeId !== undefined && (
          <p className="mt-2 font-medium">
            {messages.application.stakeToTreasury(<TokenAmount wei={application.stakeAmount} />)}
          </p>
        )}
        {application.message && (
          <UserText className="mt-4 line-clamp-4 border-l-2 border-line pl-3.5 text-[0.9375rem]">
            {application.message}
          </UserText>
        )}
        {application.status === 'rejected' && application.rejectionReason && (
          <>
            <h3 className="mt-4 mb-1 text-[0.9375rem] text-ink-soft">
              {messages.application.agentsReason}
            </h3>
            <UserText className="border-l-2 border-line pl-3.5 text-[0.9375rem]">
              {application.rejectionReason}
            </UserText>
          </>
        )}
        {isWaiting && application.expiresAt && (
          <p className="mt-4 text-[0.9375rem] text-ink-soft">
            {messages.application.expires(
              <TokenAmount wei={application.stakeAmount} />,
              <Time at={application.expiresAt} show="both" />,
            )}
          </p>
        )}
        {isIdle && !isBusy && (
          <div className="mt-5 flex flex-wrap gap-3 empty:hidden">
            {offers.first === 'lock stake' && (
              <div className="grid gap-2">
                <ButtonLink to="/tasks/$taskId/apply" params={{ taskId: application.taskId }}>
                  {messages.application.lockStake}
                </ButtonLink>
                <p className="text-sm text-ink-soft">
                  <StakeRisk task={task} by="apply" />
                </p>
              </div>
            )}
            {offers.first === 'withdraw stake' && (
              <Button onClick={withdrawing.start}>{messages.application.withdrawStake}</Button>
            )}
            {hasOffer(offers, 'withdraw') && (
              <Button variant={isWaiting ? 'secondary' : 'quiet'} onClick={withdrawing.start}>
                {messages.application.withdraw}
              </Button>
            )}
          </div>
        )}
      </Card>
      <TransactionPanel transaction={withdrawing} done={messages.application.stakeReturned} />
    </>
  )
}

/**
 * Withdraws the application: by a transaction if a stake is locked, otherwise only by a request to
 * the server.
 */
function useWithdrawal(task: Task, application: Application, onBegin: () => void) {
  const me = useSession()
  const queries = useQueryClient()
  // Both decisions end the withdrawal, because they decide about the stake.
  const isDecided = application.status === 'rejected' || application.status === 'accepted'
  const transaction = useTransaction(withdrawPurpose(application), isDecided)
  const start = () => {
    onBegin()
    transaction.begin(async () => {
      const proposal = await requestWithdrawal(queries, application)
      if (proposal && me) {
        const now = await latestApplication(queries, application)
        return withdrawIntent(now, task, me.walletAddress, proposal)
      }
      toast(messages.application.withdrawnToast)
      return undefined
    })
  }
  return { ...transaction, start }
}

/** Reads the application again, because its stake may have been locked since it was last read. */
async function latestApplication(
  queries: QueryClient,
  application: Application,
): Promise<Application> {
  const applications = await queries.fetchQuery({
    ...myTaskApplicationsQuery(application.taskId),
    staleTime: 0,
  })
  return applications.find(({ id }) => id === application.id) ?? application
}

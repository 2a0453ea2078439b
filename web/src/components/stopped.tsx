import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { TransactionState } from '@/chain/transactions'
import { classNames } from '@/lib/class-names'
import { messages } from '@/messages/transaction'
import { Button } from '@/ui/button'

interface Props {
  title: string
  /** The HTML element used for the title. */
  as?: 'h2' | 'p' | undefined
  hint?: string | undefined
  /** Whether the transaction failed. If not, it is waiting for the user. */
  bad?: boolean
  more?: ReactNode
  /** The buttons with which the user can continue. */
  children: ReactNode
}

/** Explains why a transaction stopped and shows the next steps. */
export function Stopped({ title, as: Title = 'h2', hint, bad = false, more, children }: Props) {
  return (
    <div className="flex gap-3.5">
      <CircleAlert
        aria-hidden
        className={classNames('mt-0.5 size-5 shrink-0', bad ? 'text-bad' : 'text-ink-soft')}
      />
      <div className="min-w-0 flex-1">
        <Title data-heading className="text-base font-semibold outline-none">
          {title}
        </Title>
        {hint && <p className="mt-1 text-[0.9375rem] text-ink-soft">{hint}</p>}
        {more}
        <div className="mt-4 flex flex-wrap gap-3">{children}</div>
      </div>
    </div>
  )
}

interface BlockedProps extends Pick<Props, 'as' | 'children'> {
  state: Omit<Extract<TransactionState, { name: 'blocked' }>, 'name'>
  onUnblock: () => void
}

/** Explains which wallet state prevents the request and shows the button that corrects it. */
export function Blocked({ state: { by, fault, busy }, as, onUnblock, children }: BlockedProps) {
  const missing = by === 'wallet' ? messages.signedInAccount : undefined
  return (
    <Stopped as={as} title={messages.obstacle[by]} hint={fault?.title ?? missing}>
      <Button busy={busy} onClick={onUnblock}>
        {by === 'network' ? messages.switchNetwork : messages.connectWallet}
      </Button>
      {children}
    </Stopped>
  )
}

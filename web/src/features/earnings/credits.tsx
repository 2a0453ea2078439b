import type { Human } from '@/api/human'
import type { Credit } from '@/chain/funds'
import { useTransaction } from '@/chain/transactions'
import { TokenAmount } from '@/components/token-amount'
import { TransactionPanel } from '@/components/transaction-panel'
import { messages } from '@/messages/earnings'
import { Banner } from '@/ui/banner'
import { Button } from '@/ui/button'
import { useFunds } from './use-funds'

/** Lists the payments whose transfer failed, so that the user can withdraw them. */
export function Credits({ me }: { me: Human }) {
  const funds = useFunds(me).data
  return funds?.credits.map((credit) => (
    <CreditBanner key={credit.holder} me={me} credit={credit} />
  ))
}

function CreditBanner({ me, credit: { holder, amount } }: { me: Human; credit: Credit }) {
  const transaction = useTransaction(`credit:${holder}`)
  const started = transaction.state.name !== 'idle'
  const begin = () =>
    transaction.begin(() => ({
      does: messages.credit.does,
      call: {
        contract: holder,
        name: 'withdrawCredit',
        args: [me.walletAddress as `0x${string}`],
      },
      returns: amount,
    }))
  if (amount === 0n && !started) return null
  return (
    <>
      {!started && (
        <Banner
          title={messages.credit.title}
          action={
            <Button size="small" onClick={begin}>
              {messages.credit.withdraw}
            </Button>
          }
        >
          {messages.credit.text(<TokenAmount wei={amount} />)}
        </Banner>
      )}
      <TransactionPanel transaction={transaction} done={messages.credit.done} />
    </>
  )
}

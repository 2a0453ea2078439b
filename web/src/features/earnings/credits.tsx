import type { Human } from '@/api/human'
import type { Credit } from '@/chain/funds'
import { useTransaction } from '@/chain/transactions'
import { TransactionPanel } from '@/components/transaction-panel'
import { messages } from '@/messages/earnings'
import { Amount } from '@/ui/amount'
import { Banner } from '@/ui/banner'
import { Button } from '@/ui/button'
import { useFunds } from './use-funds'

interface Props {
  me: Human
  symbol: string
}

/** What the contracts could not pay out when it was due, and keep for the reader. */
export function Credits({ me, symbol }: Props) {
  const funds = useFunds(me).data
  return funds?.credits.map((credit) => (
    <CreditToTake key={credit.holder} me={me} symbol={symbol} credit={credit} />
  ))
}

function CreditToTake({ me, symbol, credit: { holder, amount } }: Props & { credit: Credit }) {
  const transaction = useTransaction(`credit:${holder}`)
  const begun = transaction.state.name !== 'idle'
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
  if (amount === 0n && !begun) return null
  return (
    <>
      {!begun && (
        <Banner
          title={messages.credit.title}
          action={
            <Button size="small" onClick={begin}>
              {messages.credit.withdraw}
            </Button>
          }
        >
          {messages.credit.text(<Amount wei={amount} symbol={symbol} />)}
        </Banner>
      )}
      <TransactionPanel transaction={transaction} done={messages.credit.done} />
    </>
  )
}

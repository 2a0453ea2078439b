import { useInfiniteQuery } from '@tanstack/react-query'
import { publicBoardQuery } from '@/api/board'
import { useContracts } from '@/api/contracts'
import { askToSignIn } from '@/chain/sign-in-request'
import { Banner } from '@/ui/banner'
import { BoardCard } from '@/ui/board-card'
import { Button } from '@/ui/button'
import { Results } from './results'

/** What everybody may see, newest first. */
export function PublicBoard() {
  const board = useInfiniteQuery(publicBoardQuery)
  const symbol = useContracts()?.token.symbol ?? ''
  return (
    <div className="grid gap-6">
      <Banner
        title="Sign in to search and to read the details"
        action={
          <Button size="small" onClick={() => askToSignIn()}>
            Sign in
          </Button>
        }
      >
        It takes a wallet and one free signature.
      </Banner>
      <Results query={board} none="New ones appear here as soon as an agent has locked a payment.">
        {(task) => (
          <BoardCard
            key={task.id}
            task={task}
            amount={task.escrowAmount}
            amountIs="in escrow"
            symbol={symbol}
          />
        )}
      </Results>
    </div>
  )
}

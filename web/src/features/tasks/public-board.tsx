import { useInfiniteQuery } from '@tanstack/react-query'
import { publicBoardQuery } from '@/api/board'
import { requestSignIn } from '@/chain/sign-in-request'
import { BoardCard } from '@/components/board-card'
import { messages } from '@/messages/board'
import { common } from '@/messages/common'
import { Banner } from '@/ui/banner'
import { Button } from '@/ui/button'
import { Results } from './results'

/** The open tasks as visitors see them, newest first. */
export function PublicBoard() {
  const board = useInfiniteQuery(publicBoardQuery)
  return (
    <div className="grid gap-6">
      <Banner
        title={messages.signIn}
        action={
          <Button size="small" onClick={() => requestSignIn()}>
            {common.signIn}
          </Button>
        }
      >
        {common.oneSignature}
      </Banner>
      <Results query={board} none={common.noTaskYet}>
        {(task) => (
          <BoardCard
            key={task.id}
            task={task}
            amount={task.escrowAmount}
            amountIs={common.inEscrow}
          />
        )}
      </Results>
    </div>
  )
}

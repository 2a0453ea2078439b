import { LogIn } from 'lucide-react'
import type { ReactNode } from 'react'
import { requestSignIn } from '@/chain/sign-in-request'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Page } from '@/ui/page'

interface Props {
  /** The title of the page that requires a session. */
  page: string
  /** Whether this title is a user's name. */
  isName?: boolean
  /** Public information about that page. */
  intro?: ReactNode
  title: string
  children: ReactNode
}

/** Shown instead of a page that requires a session. */
export function SignInFirst({ page, isName, intro, title, children }: Props) {
  return (
    <Page title={page} isName={isName} intro={intro}>
      <EmptyState
        icon={LogIn}
        title={title}
        action={<Button onClick={() => requestSignIn()}>{common.signIn}</Button>}
      >
        {children} {common.oneSignature}
      </EmptyState>
    </Page>
  )
}

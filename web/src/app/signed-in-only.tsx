import { Outlet } from '@tanstack/react-router'
import { useSession } from '@/api/session'
import { SignInFirst } from '@/components/sign-in-first'
import { messages } from '@/messages/app'
import { common } from '@/messages/common'

/** Wraps the pages that require a session. Asks for a sign-in at the address of the page. */
export function SignedInOnly() {
  if (useSession() !== null) return <Outlet />
  return (
    <SignInFirst page={common.signIn} title={messages.signInFirst.title}>
      {messages.signInFirst.text}
    </SignInFirst>
  )
}

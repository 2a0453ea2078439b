import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { loadWhenServed } from '@/api/load'
import { useSignInRequest } from '@/chain/sign-in-request'
import { useFollowedTransactions } from '@/chain/transactions'
import { messages } from '@/messages/app'
import { Toaster } from '@/ui/toast'
import { ConnectionBanner } from './connection-banner'
import { Footer } from './footer'
import { Header } from './header'
import { useAccountGuard } from './use-account-guard'
import { useEvents } from './use-events'
import { useFailures } from './use-failures'
import { useFocusRecovery } from './use-focus-recovery'
import { useRecovery } from './use-recovery'
import { useSessionEnd } from './use-session-end'

const SignInDialog = lazy(async () => ({
  default: (await loadWhenServed(() => import('@/features/session/sign-in-dialog'))).SignInDialog,
}))

/** The header, footer and notices around every page. */
export function Layout() {
  const signingIn = useSignInRequest()
  useAccountGuard()
  useFocusRecovery()
  useFollowedTransactions()
  useFailures()
  useEvents()
  useRecovery()
  useSessionEnd()
  return (
    <div className="flex min-h-dvh flex-col">
      <a href="#content" className="skip-link">
        {messages.skip}
      </a>
      <Header />
      <ConnectionBanner />
      <main id="content" tabIndex={-1} className="min-h-dvh flex-1 outline-none">
        <Outlet />
      </main>
      <Footer />
      <Suspense>{signingIn && <SignInDialog />}</Suspense>
      <Toaster />
    </div>
  )
}

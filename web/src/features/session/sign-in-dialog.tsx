import { useQueryClient } from '@tanstack/react-query'
import { Wallet } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Fault, walletFault } from '@/chain/errors'
import { requestSignIn } from '@/chain/sign-in-request'
import { openWallet } from '@/chain/wallet'
import type { WalletCore } from '@/chain/wallet-core'
import { messages } from '@/messages/session'
import { Banner } from '@/ui/banner'
import { Dialog } from '@/ui/dialog'
import { EmptyState } from '@/ui/empty-state'
import { SkeletonList } from '@/ui/skeleton'
import { Steps } from './steps'
import { WalletList } from './wallet-list'

/**
 * The sign-in dialog: choose a wallet, check the chain, sign one message. Signing in sends no
 * transaction and costs nothing.
 */
export function SignInDialog() {
  const opened = useWalletCore()
  const core = opened && 'core' in opened ? opened.core : undefined
  const [chosen, setChosen] = useState<string>()
  return (
    <Dialog
      open
      onClose={() => requestSignIn(false)}
      title={messages.title}
      description={messages.text}
    >
      {opened === undefined && <SkeletonList items={2} className="h-16" />}
      {opened && 'fault' in opened && (
        <Banner tone="bad" title={opened.fault.title}>
          {opened.fault.hint}
        </Banner>
      )}
      {core && !chosen && <WalletList core={core} onChoose={setChosen} empty={<NoWallet />} />}
      {core && chosen && (
        <Steps core={core} walletId={chosen} onBack={() => setChosen(undefined)} />
      )}
    </Dialog>
  )
}

function NoWallet() {
  return (
    <EmptyState icon={Wallet} title={messages.noWallet.title}>
      {messages.noWallet.text}
    </EmptyState>
  )
}

/** Loads the wallet code. Returns it or the failure to load it; undefined while it is loading. */
function useWalletCore(): { core: WalletCore } | { fault: Fault } | undefined {
  const queries = useQueryClient()
  const [opened, setOpened] = useState<{ core: WalletCore } | { fault: Fault }>()
  useEffect(() => {
    let open = true
    openWallet(queries).then(
      (core) => open && setOpened({ core }),
      (error: unknown) => open && setOpened({ fault: walletFault(error) }),
    )
    return () => {
      open = false
    }
  }, [queries])
  return opened
}

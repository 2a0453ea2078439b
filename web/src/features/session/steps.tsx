import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Check, LoaderCircle } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useContracts } from '@/api/contracts'
import { signIn, signInMessage } from '@/api/session'
import { WalletMismatch, walletMessage } from '@/chain/errors'
import { checkSignInMessage } from '@/chain/sign-in-message'
import { requestSignIn } from '@/chain/sign-in-request'
import { useWallet } from '@/chain/wallet'
import type { WalletCore } from '@/chain/wallet-core'
import { classNames } from '@/lib/class-names'
import { common } from '@/messages/common'
import { messages } from '@/messages/session'
import { ShortHex } from '@/ui/address'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'
import { UserName } from '@/ui/user-text'

type Step = 'connect' | 'network' | 'sign'
const order: readonly Step[] = ['connect', 'network', 'sign']

interface Props {
  core: WalletCore
  walletId: string
  onBack: () => void
}

/** The sign-in steps with the chosen wallet. Connecting starts immediately. */
export function Steps({ core, walletId, onBack }: Props) {
  const { address } = useWallet()
  const { step, failure, busy, act } = useSteps(core, walletId)
  return (
    <div>
      <ol className="grid gap-4">
        <StepLine at="connect" now={step}>
          {address && step !== 'connect'
            ? messages.connectedAs(<ShortHex hex={address} />)
            : messages.connect}
        </StepLine>
        <StepLine at="network" now={step}>
          {step === 'network' ? messages.otherNetwork : messages.checkNetwork}
        </StepLine>
        <StepLine at="sign" now={step}>
          {messages.sign}
        </StepLine>
      </ol>
      <p aria-live="polite" className="mt-5 min-h-6 text-[0.9375rem] text-ink-soft">
        {failure ?? (busy ? messages.waiting : '')}
      </p>
      <div className="mt-3 flex flex-wrap gap-3">
        {(failure || step === 'network') && (
          <Button busy={busy} onClick={act}>
            {step === 'network' ? messages.switchNetwork : common.tryAgain}
          </Button>
        )}
        <Button variant="quiet" onClick={onBack}>
          {messages.otherWallet}
        </Button>
      </div>
    </div>
  )
}

function StepLine({ at, now, children }: { at: Step; now: Step; children: ReactNode }) {
  const done = order.indexOf(at) < order.indexOf(now)
  const current = at === now
  return (
    <li
      aria-current={current ? 'step' : undefined}
      className={classNames('flex items-center gap-3', !current && !done && 'text-ink-soft')}
    >
      <span
        className={classNames(
          'grid size-7 shrink-0 place-items-center rounded-full',
          done ? 'bg-good-wash text-good' : 'bg-sunken',
        )}
      >
        {done && <Check aria-hidden className="size-4" />}
        {current && <LoaderCircle aria-hidden className="size-4 animate-spin text-accent" />}
        {!done && !current && <span aria-hidden className="size-1.5 rounded-full bg-line-strong" />}
      </span>
      <span className={classNames(current && 'font-medium')}>{children}</span>
    </li>
  )
}

/**
 * Returns the site that the sign-in message must name. With `npm run dev`, the app and the API have
 * different origins.
 */
function site(message: string): { host: string; origin: string } {
  if (!import.meta.env.DEV) return { host: window.location.host, origin: window.location.origin }
  const host = message.split(' ', 1)[0] ?? ''
  return { host, origin: `http://${host}` }
}

/** Runs the sign-in steps, each of which can be retried. */
function useSteps(core: WalletCore, walletId: string) {
  const queries = useQueryClient()
  const router = useRouter()
  const contracts = useContracts()
  const wallet = useWallet()
  const [step, setStep] = useState<Step>('connect')
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)

  const connect = useCallback(async () => {
    const address = await core.connect(walletId)
    if (core.state().chainId === contracts?.chainId) return address
    setStep('network')
    return undefined
  }, [core, walletId, contracts?.chainId])

  const sign = useCallback(
    async (address: string) => {
      setStep('sign')
      const message = await signInMessage(address)
      checkSignInMessage(message, { address, chainId: contracts?.chainId ?? 0, ...site(message) })
      const human = await signIn(queries, message, await core.sign(address, message))
      requestSignIn(false)
      toast(messages.signedInAs(<UserName>{human.username}</UserName>))
      if (router.state.location.pathname === '/') await router.navigate({ to: '/welcome' })
    },
    [core, queries, router, contracts?.chainId],
  )

  const act = useCallback(async () => {
    setFailure(undefined)
    setBusy(true)
    try {
      if (step === 'network') await core.switchToOurChain()
      const address = step === 'connect' ? await connect() : wallet.address
      if (address) await sign(address)
    } catch (error) {
      if (error instanceof WalletMismatch && error.by === 'network') setStep('network')
      setFailure(walletMessage(error))
    } finally {
      setBusy(false)
    }
  }, [step, core, connect, sign, wallet.address])

  const started = useRef(false)
  useEffect(() => {
    if (started.current || !contracts) return
    started.current = true
    void act()
  }, [act, contracts])

  return { step, failure, busy, act: () => void act() }
}

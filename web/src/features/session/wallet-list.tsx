import { ChevronRight, FlaskConical } from 'lucide-react'
import { type ReactNode, useSyncExternalStore } from 'react'
import type { WalletCore, WalletOption } from '@/chain/wallet-core'
import { visible } from '@/lib/user-text'
import { messages } from '@/messages/session'
import { Badge } from '@/ui/badge'

interface Props {
  core: WalletCore
  onChoose: (id: string) => void
  empty: ReactNode
}

/** The wallets that have announced themselves in this browser. New ones are added to the list. */
export function WalletList({ core, onChoose, empty }: Props) {
  const options = useSyncExternalStore(core.watchOptions, core.options)
  if (options.length === 0) return <>{empty}</>
  return (
    <ul className="grid gap-2.5">
      {options.map((option) => (
        <li key={option.id}>
          <WalletButton option={option} onChoose={onChoose} />
        </li>
      ))}
    </ul>
  )
}

interface ButtonProps extends Pick<Props, 'onChoose'> {
  option: WalletOption
}

function WalletButton({ option, onChoose }: ButtonProps) {
  return (
    <button
      type="button"
      onClick={() => onChoose(option.id)}
      className="flex w-full items-center gap-3.5 rounded-2xl border border-line p-3.5 text-left transition-colors hover:border-line-strong hover:bg-sunken"
    >
      {option.icon ? (
        <img src={option.icon} alt="" className="size-10 rounded-xl" />
      ) : (
        <span className="size-10 rounded-xl bg-sunken" />
      )}
      <span className="grid min-w-0 flex-1 gap-1">
        <span translate="no" className="font-medium [overflow-wrap:anywhere]">
          {visible(option.name)}
        </span>
        {option.development && (
          <span>
            <Badge tone="wait" icon={FlaskConical}>
              {messages.testMoney}
            </Badge>
          </span>
        )}
        {option.lastUsed && <span className="text-sm text-ink-soft">{messages.usedLast}</span>}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-soft" />
    </button>
  )
}

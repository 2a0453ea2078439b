import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { common } from '@/messages/common'

const displayTime = 1_500

/** Shortens an address or a hash to its first and last digits. */
function shortHex(hex: string): string {
  return `${hex.slice(0, 6)}…${hex.slice(-4)}`
}

interface Props {
  /** An address or a transaction hash. */
  hex: string
  /** The URL of the address or transaction in a block explorer. */
  href?: string | undefined
}

/** A shortened address or hash as plain text. */
export function ShortHex({ hex }: Pick<Props, 'hex'>) {
  return (
    <span translate="no" className="font-mono">
      {shortHex(hex)}
    </span>
  )
}

/** A shortened address with a copy button. The full address is shown on hover. */
export function Address({ hex, href }: Props) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(hex)
    setCopied(true)
    setTimeout(() => setCopied(false), displayTime)
  }
  const Icon = copied ? Check : Copy
  return (
    <span translate="no" className="inline-flex items-center gap-1 font-mono text-[0.92em]">
      {href ? (
        <a
          href={href}
          title={hex}
          target="_blank"
          rel="noopener noreferrer"
          className="underline decoration-line-strong underline-offset-4"
        >
          {shortHex(hex)}
        </a>
      ) : (
        <span title={hex}>{shortHex(hex)}</span>
      )}
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={copied ? common.copied : common.copy(shortHex(hex))}
        className="grid size-6 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
      >
        <Icon aria-hidden className="size-3.5" />
      </button>
    </span>
  )
}

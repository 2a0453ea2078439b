import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '@/lib/class-names'

const variants = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover',
  secondary: 'bg-surface text-ink border border-line-strong hover:bg-sunken',
  quiet: 'text-ink hover:bg-sunken',
}

const sizes = { small: 'h-9 px-3 text-sm gap-1.5', medium: 'h-11 px-5 gap-2' }

/** Returns the class names of a button, for links that should look like one. */
export function buttonClass(
  variant: keyof typeof variants = 'primary',
  size: keyof typeof sizes = 'medium',
) {
  return classNames(
    'inline-flex items-center justify-center rounded-xl font-medium whitespace-nowrap no-underline',
    'transition-colors select-none disabled:opacity-60 aria-disabled:opacity-60',
    variants[variant],
    sizes[size],
  )
}

interface Props extends ComponentProps<'button'> {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  /** Whether the action is in progress. A busy button keeps the focus and ignores clicks. */
  busy?: boolean
}

export function Button({
  variant,
  size,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={classNames(buttonClass(variant, size), className)}
    >
      {busy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  )
}

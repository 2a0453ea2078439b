import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { classNames } from '@/lib/class-names'
import { buttonClass } from './button'

interface Props extends ComponentProps<'a'> {
  variant?: Parameters<typeof buttonClass>[0]
  size?: Parameters<typeof buttonClass>[1]
}

const Anchor = ({ variant, size, className, ...rest }: Props) => (
  <a {...rest} className={classNames(buttonClass(variant, size), className)} />
)

/** A link to one of the app's pages that looks like a button. */
export const ButtonLink = createLink(Anchor)

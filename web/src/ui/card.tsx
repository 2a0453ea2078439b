import { classNames } from '@/lib/class-names'
import { Section, type SectionProps } from './section'

const tones = {
  plain: 'border-line bg-surface',
  /** The tone of the reader's next step. */
  accent: 'border-accent/40 bg-accent-wash',
}

interface Props extends SectionProps {
  tone?: keyof typeof tones
}

/** A raised surface on the page. */
export function Card({ tone = 'plain', className, ...rest }: Props) {
  return (
    <Section
      headingClass="text-lg font-semibold"
      {...rest}
      className={classNames('rounded-2xl border shadow-card', tones[tone], className)}
    />
  )
}

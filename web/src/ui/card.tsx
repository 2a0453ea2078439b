import { classNames } from '@/lib/class-names'
import { Section, type SectionProps } from './section'

const tones = {
  plain: 'border-line bg-surface',
  /** The colours for a card that shows the user's next step. */
  accent: 'border-accent/40 bg-accent-wash',
}

interface Props extends SectionProps {
  tone?: keyof typeof tones
}

/** A raised surface that groups content. */
export function Card({ tone = 'plain', className, ...rest }: Props) {
  return (
    <Section
      headingClass="text-lg font-semibold"
      {...rest}
      className={classNames('rounded-2xl border shadow-card', tones[tone], className)}
    />
  )
}

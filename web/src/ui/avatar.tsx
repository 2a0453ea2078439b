import { classNames } from '@/lib/class-names'
import { visible } from '@/lib/user-text'

const sizes = { small: 'size-7 text-sm', medium: 'size-10', large: 'size-16 text-2xl' }

const letters = new Intl.Segmenter()

/** The first letter of a name, shown in place of a picture. */
export function Avatar({ name, size = 'medium' }: { name: string; size?: keyof typeof sizes }) {
  const [first] = letters.segment(visible(name).trim())
  return (
    <span
      aria-hidden
      translate="no"
      className={classNames(
        'grid shrink-0 place-items-center overflow-hidden rounded-full bg-accent-wash font-semibold text-accent',
        sizes[size],
      )}
    >
      {first?.segment.toUpperCase() ?? '?'}
    </span>
  )
}

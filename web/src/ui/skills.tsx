import { classNames } from '@/lib/class-names'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'

/** The skills of a task or a user. */
export function Skills({ skills, small = false }: { skills: string[]; small?: boolean }) {
  return (
    <ul
      aria-label={common.skills}
      className={classNames('flex flex-wrap', small ? 'gap-1.5' : 'gap-2')}
    >
      {skills.map((skill) => (
        <li
          key={skill}
          className={classNames(
            'max-w-full truncate rounded-full bg-sunken',
            small ? 'px-2.5 py-0.5 text-[0.8125rem] text-ink-soft' : 'px-3 py-1 text-[0.9375rem]',
          )}
        >
          {visible(skill)}
        </li>
      ))}
    </ul>
  )
}

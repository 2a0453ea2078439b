import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'

/** The skills of a task or a user. */
export function Skills({ skills }: { skills: string[] }) {
  return (
    <ul aria-label={common.skills} className="flex flex-wrap gap-2">
      {skills.map((skill) => (
        <li
          key={skill}
          className="max-w-full truncate rounded-full bg-sunken px-3 py-1 text-[0.9375rem]"
        >
          {visible(skill)}
        </li>
      ))}
    </ul>
  )
}

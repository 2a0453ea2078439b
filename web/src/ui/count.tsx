// The largest count that is shown; larger ones appear as "99+".
const maximum = 99

/** A number of unread items, with a description for screen readers. */
export function Count({ of, what }: { of: number; what: string }) {
  return (
    <span className="figures inline-grid h-5 min-w-5 shrink-0 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink">
      <span translate="no">{of > maximum ? `${maximum}+` : of}</span>
      <span className="sr-only"> {what}</span>
    </span>
  )
}

/** The logo: a check mark. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className="size-8">
      <rect width="32" height="32" rx="9" className="fill-accent" />
      <path
        d="M9 16.5l4.6 4.6L23.5 11"
        fill="none"
        className="stroke-accent-ink"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

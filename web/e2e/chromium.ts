import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const places = [
  process.env.CHROMIUM,
  // The same engine without a window uses a quarter less processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = () => places.find((place) => place && existsSync(place))

/**
 * Returns the path of Chromium. If Chromium is missing, installs it as root on Debian. Throws if it is
 * still missing.
 */
export function chromiumPath(): string {
  const found = find() ?? install()
  if (!found) {
    throw new Error('Chromium is required: install it, or set the variable CHROMIUM to its path.')
  }
  return found
}

// The halves of the stories run at the same time, and concurrent runs of apt-get delete each other's
// downloads.
const script = `test -e /usr/bin/chromium-headless-shell || {
  apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium-headless-shell
}`

function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  const lock = join(tmpdir(), 'taskmarket-chromium.lock')
  try {
    execFileSync('flock', [lock, 'sh', '-c', script], { stdio: 'inherit' })
  } catch {
    return undefined // apt-get has printed why
  }
  return find()
}

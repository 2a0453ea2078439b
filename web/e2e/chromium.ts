import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const find = () => places.find((place) => place && existsSync(place))

/** The path of Chromium. As root on Debian it is installed; elsewhere its absence fails. */
export function chromiumPath(): string {
  const found = find() ?? install()
  if (!found) {
    throw new Error('The stories need Chromium: install it, or name it in the variable CHROMIUM.')
  }
  return found
}

function install(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit' })
  execFileSync('apt-get', ['install', '-qq', '--yes', '--no-install-recommends', 'chromium'], {
    stdio: 'inherit',
  })
  return find()
}

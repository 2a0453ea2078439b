/** Returns the SHA-256 hash of a file, in hex. */
export async function sha256(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const units = ['bytes', 'kB', 'MB', 'GB']

/** Formats a number of bytes for display: 1500 becomes "1.5 kB". */
export function fileSize(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1_000
    unit += 1
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}

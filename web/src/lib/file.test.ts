import { expect, test } from 'vitest'
import { fileSize, sha256 } from './file'

test('the file hash equals the server’s', async () => {
  expect(await sha256(new Blob(['abc']))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_500, '1.5 kB'],
  [999_600, '1.0 MB'],
  [26_214_400, '26 MB'],
])('%d bytes', (bytes, words) => {
  expect(fileSize(bytes)).toBe(words)
})

import { save } from './save'

// Matches values that a spreadsheet would execute as a formula.
const formula = /^[=+\-@\t\r]/

/** Returns a quoted cell. A value that begins like a formula is turned into plain text. */
function cell(value: string): string {
  const plain = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value
  return `"${plain.replaceAll('"', '""')}"`
}

/** Returns a table as CSV (RFC 4180). Spreadsheets do not execute any of its cells as a formula. */
export function toCsv(header: string[], rows: string[][]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Saves a text as a file. */
export function download(filename: string, type: string, text: string) {
  // The byte order mark makes spreadsheets decode the file as UTF-8.
  save(filename, new Blob(['\ufeff', text], { type: `${type};charset=utf-8` }))
}

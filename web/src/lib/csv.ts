import { save } from './save'

// Values that a spreadsheet would run as a formula.
const formula = /^[=+\-@\t\r]/

/** One quoted cell. A value that starts like a formula becomes plain text. */
function cell(value: string): string {
  const plain = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value
  return `"${plain.replaceAll('"', '""')}"`
}

/** A table in the format of RFC 4180. Spreadsheets do not run any cell as a formula. */
export function toCsv(header: string[], rows: string[][]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Saves a text as a file. */
export function download(filename: string, type: string, text: string) {
  // The byte order mark makes spreadsheets read it as UTF-8.
  save(filename, new Blob(['\ufeff', text], { type: `${type};charset=utf-8` }))
}

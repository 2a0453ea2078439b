import { save } from './save'

// What a spreadsheet would take for a formula, and run.
const formula = /^[=+\-@\t\r]/

/** One cell: quoted, and with what begins like a formula made plain text. */
function cell(value: string): string {
  const plain = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value
  return `"${plain.replaceAll('"', '""')}"`
}

/** A table in the format of RFC 4180. Spreadsheets do not run any cell as a formula. */
export function toCsv(header: string[], rows: string[][]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Has the browser keep a text as a file. */
export function download(filename: string, type: string, text: string) {
  // The byte order mark makes spreadsheets read it as UTF-8.
  save(filename, new Blob(['\ufeff', text], { type: `${type};charset=utf-8` }))
}

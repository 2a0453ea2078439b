import { save } from './save'

// What a spreadsheet would take for a formula, and run.
const formula = /^[=+\-@\t\r]/

/** One cell: quoted, and with what begins like a formula made plain text. */
function cell(value: string): string {
  const plain = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value
  return `"${plain.replaceAll('"', '""')}"`
}

/** A table as RFC 4180 has it. No cell is run as a formula by whatever opens it. */
export function toCsv(header: string[], rows: string[][]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

/** Has the browser keep a text as a file. */
export function download(filename: string, type: string, text: string) {
  // The mark tells spreadsheets that it is UTF-8.
  save(filename, new Blob(['\ufeff', text], { type: `${type};charset=utf-8` }))
}

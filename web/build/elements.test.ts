import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

// src/lib/jsx gives a text an element if the JSX around it shows that it has siblings. It cannot see
// the siblings of a text that a component returns.

/** Whether an expression in a return statement is an element, a list of elements, or nothing. */
function isElement(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isElement(node.expression)
  if (ts.isConditionalExpression(node)) return isElement(node.whenTrue) && isElement(node.whenFalse)
  if (ts.isBinaryExpression(node)) return isElement(node.right)
  if (ts.isCallExpression(node) && /\.map$/.test(node.expression.getText())) {
    const [each] = node.arguments
    return each !== undefined && ts.isArrowFunction(each) && isBodyElement(each.body)
  }
  return (
    ts.isJsxElement(node) ||
    ts.isJsxSelfClosingElement(node) ||
    ts.isJsxFragment(node) ||
    node.kind === ts.SyntaxKind.NullKeyword
  )
}

const isBodyElement = (body: ts.ConciseBody) => !ts.isBlock(body) && isElement(body)

/** Returns the texts that the components of a file may return, with the lines. */
function returnedTexts(name: string, source: string): string[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX)
  const found: string[] = []
  const check = (expression: ts.Expression) => {
    if (isElement(expression)) return
    const { line } = file.getLineAndCharacterOfPosition(expression.getStart())
    found.push(`${name}:${line + 1}: ${expression.getText()}`)
  }
  const visit = (node: ts.Node, component: boolean): void => {
    if (component && ts.isReturnStatement(node) && node.expression) check(node.expression)
    if (ts.isFunctionLike(node)) {
      const own = componentName.test(nameOf(node))
      if (own && ts.isArrowFunction(node) && !ts.isBlock(node.body)) check(node.body)
      ts.forEachChild(node, (each) => visit(each, own))
      return
    }
    ts.forEachChild(node, (each) => visit(each, component))
  }
  visit(file, false)
  return found
}

const componentName = /^[A-Z]/

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name && ts.isIdentifier(node.name)) return node.name.text
  return ts.isVariableDeclaration(node.parent) && ts.isIdentifier(node.parent.name)
    ? node.parent.name.text
    : ''
}

test('components that return texts are found', () => {
  const source = `
    function Late({ now }) { if (now) return 'now'; return <p /> }
    const Day = ({ day }) => (day ? words.of(day) : null)
    const Passed = ({ children }) => <>{children}</>
    function helper() { return 'text' }`
  expect(returnedTexts('a.tsx', source)).toEqual([
    "a.tsx:2: 'now'",
    'a.tsx:3: (day ? words.of(day) : null)',
  ])
})

test('every component returns an element, so that its text has one', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .map((file) => `src/${file}`)
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap((file) => returnedTexts(file, readFileSync(file, 'utf8')))).toEqual([])
})

// Run with: node --test mutants/
const assert = require('assert')
const test = require('node:test')
const { creationCode, parse } = require('./compiler.cjs')
const { diff, mutantsOf, operators } = require('./mutants.cjs')
const { declarations } = require('./tree.cjs')

const file = 'mutants/fixture/Fixture.sol'
const contracts = [{ file, name: 'Fixture' }]
const source = parse([file]).get(file)
const mutants = mutantsOf(source, declarations(new Map([[file, source]])))

/** Returns the changes that an operator makes in a function, without the surrounding line. */
const changes = (callable, operator) =>
  mutants
    .map(({ id }) => id.match(/^Fixture\.sol:(\w+):(\w+):(.*?)( @ .*)?$/))
    .filter(([, where, what]) => where === callable && what === operator)
    .map(([, , , change]) => change)

const expected = {
  onlyKeeper: {
    comparison: ['msg.sender != keeper => msg.sender == keeper'],
    condition: ['msg.sender != keeper => true'],
    check: ['revert TooMuch(0); => {}'],
    address: ['msg.sender => keeper', 'keeper => msg.sender'],
    literal: ['0 => 1'],
  },
  LIMIT: { literal: ['24 hours => (24 hours + 1)', '24 hours => (24 hours - 1)'] },
  move: {
    modifier: ['onlyKeeper => nothing'],
    check: ['_requireSmall(amount); => {}'],
    comparison: ['total == 0 => total != 0', 'light == Light.Green => light != Light.Green'],
    logic: [
      'total == 0 && !(light == Light.Green) => total == 0 || !(light == Light.Green)',
      'total == 0 && !(light == Light.Green) => true && !(light == Light.Green)',
      'total == 0 && !(light == Light.Green) => total == 0 && true',
    ],
    negation: ['!(light == Light.Green) => (light == Light.Green)'],
    member: ['Light.Green => Light.Red', 'Light.Green => Light.Amber'],
    arithmetic: ['total += amount => total -= amount'],
    step: ['++total => --total'],
    statement: ['total += amount; => {}', '++total; => {}', 'emit Moved(msg.sender, to, amount); => {}'],
    exchange: ['Moved(msg.sender, to, amount) => Moved(to, msg.sender, amount)'],
    address: ['msg.sender => to', 'to => msg.sender'],
    result: ['return idle; => return true;', 'return idle; => return false;'],
  },
  half: {
    comparison: ['amount > LIMIT => amount >= LIMIT', 'amount > LIMIT => amount <= LIMIT'],
    condition: ['amount > LIMIT => true', 'amount > LIMIT => false'],
    constant: ['LIMIT => (LIMIT + 1)', 'LIMIT => (LIMIT - 1)'],
    arithmetic: ['amount / 2 => amount * 2'],
    literal: ['2 => 3', '2 => 1', '0x0f => 0x10', '0x0f => 0x0e', '"half" => "half~"'],
    result: [
      'return (amount > LIMIT ? amount / 2 : 0x0f, keccak256("half")); => return (0, keccak256("half"));',
      'return (amount > LIMIT ? amount / 2 : 0x0f, keccak256("half")); => return (amount > LIMIT ? amount / 2 : 0x0f, 0);',
    ],
  },
  _requireSmall: { condition: ['amount > LIMIT => true'], check: ['revert TooMuch(amount); => {}'] },
  length_: { statement: ['length := mload(data) => nothing'] },
}

for (const [callable, byOperator] of Object.entries(expected)) {
  for (const [operator, want] of Object.entries(byOperator)) {
    test(`${operator} in ${callable}`, () => assert.deepStrictEqual(changes(callable, operator), want))
  }
}

test('every operator has a place in the fixture', () => {
  const used = new Set(mutants.map(({ operator }) => operator))
  assert.deepStrictEqual(operators.filter((operator) => !used.has(operator)), [])
})

test('ids differ', () => {
  assert.strictEqual(new Set(mutants.map(({ id }) => id)).size, mutants.length)
})

test('ids are the same below a new function', () => {
  const text = source.bytes.toString().replace('    modifier', '    function added() external {}\n\n    modifier')
  const moved = parse([file], { [file]: text }).get(file)
  const ids = mutantsOf(moved, declarations(new Map([[file, moved]]))).map(({ id }) => id)
  assert.deepStrictEqual(ids, mutants.map(({ id }) => id))
})

test('mutants compile, to something else', () => {
  const original = creationCode(contracts).Fixture
  for (const { id, whole } of mutants) {
    const code = creationCode(contracts, { [file]: whole })
    assert.ok(code, `${id} does not compile`)
    assert.ok(code.Fixture !== original, `${id} changes nothing`)
  }
})

test('the diff shows the lines that change', () => {
  const mutant = mutants.find(({ operator }) => operator === 'modifier')
  const line = '    function move(address to, uint256 amount) external'
  assert.strictEqual(
    diff(source, mutant),
    `${file}:25\n-${line} onlyKeeper returns (bool) {\n+${line}  returns (bool) {`,
  )
})

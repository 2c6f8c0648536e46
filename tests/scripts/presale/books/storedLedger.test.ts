/** The ledger in the state directory: what it saves, and what is refused of it. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { canonicalJson, hex, sha256 } from '../../../stack/solana/bytes.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { transfer } from '../../../stack/solana/programs.ts'
import { jsonOf, openPaidSale, type PaidSale } from '../payouts/paidSale.ts'
import { callOf } from '../payouts/world.ts'

let sale: PaidSale
let path: string
beforeAll(async () => {
  sale = await openPaidSale('stored ledger', 'closed')
  path = `${sale.state}/ledger.jsonl`
  sale.stack.chain.advance(70)
})
afterAll(() => sale.close())

/** Calls by method of one command. */
function counting() {
  const calls: Record<string, number> = {}
  const call = callOf(sale.stack.chain, method => {
    calls[method] = (calls[method] ?? 0) + 1
  })
  return { call, calls, all: () => Object.values(calls).reduce((sum, count) => sum + count, 0) }
}
const out = () => sale.inFolder('ledger.jsonl')
const rows = () => readFileSync(out(), 'utf8').split('\n').slice(0, -1)
async function ledger(...more: string[]) {
  const { call, all } = counting()
  const said = await jsonOf(sale.presale(['ledger', '--json', '--out', out(), ...more], { call }))
  return { ...said, made: all() } as Record<string, any>
}
function pay(name: string, lamports: bigint): void {
  const payer = seededKeypair('stored ledger', name)
  sale.stack.give(payer.address, { sol: '10' })
  sale.stack.chain.run([transfer(payer.address, sale.stack.info.treasury, lamports)], [payer])
}

describe('a second ledger', () => {
  let first: Record<string, any>

  test('asks for what is new alone, and says how many calls that saved', async () => {
    first = await ledger()
    expect(first).toMatchObject({ code: 0, stored: null, calls: first.made })
    const written = rows()
    const second = await ledger()
    expect(second).toMatchObject({ code: 0, ledgerHash: first.ledgerHash, transactions: first.transactions })
    expect(second.stored.callsSaved).toBe(first.transactions)
    expect(second.calls).toBe(second.made)
    expect(first.made - second.made).toBeGreaterThanOrEqual(second.stored.callsSaved)
    expect([rows(), written]).toEqual([sale.stack.operator.evaluate().lines, written])
  })

  test('goes on with new payments, byte for byte as the second implementation', async () => {
    pay('late', 1_000_000_000n)
    sale.stack.chain.advance(40)
    const after = await ledger()
    expect(after.transactions).toBe(first.transactions + 1)
    expect(after.made).toBeLessThan(12)
    expect(rows()).toEqual(sale.stack.operator.evaluate().lines)
    const { err } = await sale.presale(['ledger', '--out', out()])
    expect(err).toMatch(
      /listed 1 transaction after slot \d+, up to slot \d+\n.* read 1 transaction after the stored ledger, complete\n/,
    )
  })

  test('leaves the newest 64 slots to be read again', async () => {
    expect(JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '')).toMatchObject({
      transactions: first.transactions,
    })
    sale.stack.chain.advance(70)
    await ledger()
    expect((await ledger()).stored.callsSaved).toBe(first.transactions + 1)
  })

  test('up to an earlier slot takes nothing from it, and leaves it', async () => {
    const { slot } = JSON.parse(sale.stack.operator.evaluate().lines.at(20) ?? '')
    const before = readFileSync(path)
    expect(await ledger('--slot', String(slot))).toMatchObject({ code: 0, stored: null })
    expect(rows().length).toBeLessThan(40)
    expect(readFileSync(path).equals(before)).toBe(true)
    await ledger('--whole')
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('of a second node reads that one whole', async () => {
    const said = await ledger('--rpc2', sale.stack.url)
    expect(said).toMatchObject({ code: 0, differences: [], compared: [expect.stringContaining('127.0.0.1')] })
    expect(said.made).toBeGreaterThan(said.transactions)
  })

  test('finds a payment that the node leaves out after it', async () => {
    pay('hidden', 2_000_000_000n)
    sale.stack.chain.advance(40)
    const hidden = sale.stack.chain.ledger.mentioning(sale.stack.info.treasury).at(-1)?.signature
    const serve = callOf(sale.stack.chain)
    const call: typeof fetch = async (url, init) => {
      const body = JSON.parse(await (await serve(url, init)).text())
      if (String(init?.body).includes('getSignaturesForAddress'))
        body.result = body.result.filter(({ signature }: { signature: string }) => signature !== hidden)
      return new Response(JSON.stringify(body))
    }
    const { code, err } = await sale.presale(['ledger', '--out', out()], { call })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/the balance of SOL expected \d+ after its last transaction/),
    ])
  })

  test('serves every verb that reads the ledger, which then says the same as from the whole history', async () => {
    const { allocations } = await read(['export', '--out', sale.inFolder('books')], 'allocations.json')
    const { owner = '' } = (allocations as { owner: string }[])[0] ?? {}
    for (const args of [['status'], ['prove', owner], ['export', '--out', sale.inFolder('books')]]) {
      const [near, whole] = [counting(), counting()]
      const stored = await jsonOf(sale.presale([...args, '--json'], near))
      const kept = readFileSync(path)
      rmSync(path)
      expect(await jsonOf(sale.presale([...args, '--json'], whole))).toEqual(stored)
      writeFileSync(path, kept)
      expect(near.calls.getTransaction).toBeLessThan((whole.calls.getTransaction ?? 0) / 5)
    }
    const [near, whole] = [await read(['export', '--out', sale.inFolder('books')]), await withoutStored()]
    expect(near).toEqual(whole)
  })
})

async function read(args: string[], name = 'refunds.json') {
  await sale.presale(args)
  return sale.json('books', name)
}
async function withoutStored() {
  const kept = readFileSync(path)
  rmSync(path)
  const whole = await read(['export', '--out', sale.inFolder('books')])
  writeFileSync(path, kept)
  return whole
}

/** A text whose own hash is right again. */
function sealed(text: string): string {
  const mark = /,"check":"\w{64}"\}$/m
  const body = text.replace(mark, '}').slice(0, -1)
  return text.replace(mark, `,"check":"${hex(sha256(body))}"}`)
}

describe('a damaged stored ledger', () => {
  let kept: string
  beforeAll(async () => {
    await ledger('--whole')
    kept = readFileSync(path, 'utf8')
  })
  const lines = () => kept.split('\n')
  const edited = (edit: (line: string, at: number) => string[]) => lines().flatMap(edit).join('\n')
  const changed = (at: number, from: RegExp, to: string) => {
    expect(lines()[at]).toMatch(from)
    return edited((line, place) => [place === at ? line.replace(from, to) : line])
  }

  test.each<[string, () => string, RegExp]>([
    [
      'a changed row',
      () => sealed(changed(9, /"units":"\d+"/, '"units":"1"')),
      /line 10: expected a row that follows the one before it, got row 9 with another hash/,
    ],
    [
      'a removed row',
      () => sealed(edited((line, at) => (at === 5 ? [] : [line]))),
      /line 6: expected a row that follows the one before it, got row 6/,
    ],
    [
      'two rows exchanged',
      () => sealed(edited((line, at) => [(at === 4 ? lines()[5] : at === 5 ? lines()[4] : line) ?? ''])),
      /line 5: expected a row/,
    ],
    [
      'a row cut off',
      () => sealed(lines().slice(0, -2).concat('').join('\n')),
      /its end: expected \d+ rows up to hash \w+, got \d+ up to/,
    ],
    [
      'a line that is no row',
      () => sealed(edited((line, at) => [at === 3 ? '{' : line])),
      /line 4: expected a row that follows the one before it, got another text/,
    ],
    [
      'a changed figure',
      () => sealed(changed(0, /"orders":\d+/, '"orders":1')),
      /its state: expected orders \d+, as its rows have it, got 1/,
    ],
    [
      'a changed balance',
      () => changed(0, /"SOL",\["bigint","\d+"/, '"SOL",["bigint","1"'),
      /the whole: expected sha256 \w+, got another/,
    ],
    [
      'a changed row and no new hash of the file',
      () => changed(9, /"units":"\d+"/, '"units":"1"'),
      /the whole: expected sha256 \w+, got another/,
    ],
    [
      'a state whose hash is of no kind',
      () => changed(0, /"hash":\["bytes"/, '"hash":["bytds"'),
      /the whole: expected sha256 \w+, got another/,
    ],
    [
      'a state without figures',
      () => changed(0, /"statuses":/, '"statusds":'),
      /the whole: expected sha256 \w+, got another/,
    ],
    ['another file', () => 'not a ledger\n', /line 1: expected the head of a stored ledger, got another text/],
    ['nothing', () => '', /line 1: expected the head of a stored ledger/],
  ])('with %s is refused with the place and the remedy', async (_name, text, sentence) => {
    writeFileSync(path, text())
    for (const args of [['ledger', '--out', out()], ['status']]) {
      const { code, err } = await sale.presale(args)
      expect(err).toMatch(sentence)
      expect(err).toContain('"ledger --whole" reads the chain anew')
      expect(code).toBe(1)
    }
    expect(readFileSync(path, 'utf8')).toBe(text())
  })

  test('is replaced by a whole reading', async () => {
    writeFileSync(path, 'damaged')
    expect((await ledger('--whole')).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(kept)
  })

  test('of other terms is refused', async () => {
    const terms = sale.json('sale', 'terms.json')
    const other = sale.inFolder('sale', 'other.json')
    writeFileSync(other, canonicalJson({ ...terms, id: 'other-sale' }))
    const args = ['ledger', '--terms', other, '--rpc', sale.stack.url, '--state', sale.state]
    const { code, err } = await sale.alone(args)
    expect([code, err]).toEqual([2, expect.stringContaining('got another sale: give each its own --state')])
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, sealed(text.replace(/"terms":"\w{64}"/, `"terms":"${'0'.repeat(64)}"`)))
    const unannounced = await sale.presale(['status'])
    writeFileSync(path, text)
    const sentence = /expected terms \w{64}, got 0{64}, not announced up to slot \d+: "ledger --whole"/
    expect([unannounced.code, unannounced.err]).toEqual([2, expect.stringMatching(sentence)])
  })
})

test('nothing is stored in a folder that is published', async () => {
  const args = ['ledger', '--terms', sale.inFolder('sale', 'terms.json'), '--rpc', sale.stack.url, '--out', out()]
  const { code } = await sale.alone(args, sale.inFolder('sale'))
  expect([code, existsSync(sale.inFolder('sale', 'presale-state'))]).toEqual([0, false])
  const named = await sale.alone([...args, '--state', sale.inFolder('sale', 'state')])
  expect([named.code, named.err]).toEqual([2, expect.stringContaining('expected a place outside of')])
})

describe('rows that cannot be written', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('to a full disk are an error that names the file', async () => {
    const full = sale.inFolder('full.jsonl')
    symlinkSync('/dev/full', `${full}.part`)
    const { code, err } = await sale.presale(['ledger', '--out', full])
    expect([code, err]).toEqual([2, expect.stringContaining(`cannot write ${full}.part: ENOSPC\n`)])
  })

  test('to a temporary folder that is not there are one that names it', async () => {
    vi.stubEnv('TMPDIR', '/nonexistent')
    const { code, err } = await sale.presale(['ledger'])
    const sentence = 'cannot make a folder in /nonexistent: ENOENT; with --out FILE none is needed\n'
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)])
  })
})

/** The operator's verbs on the local chain, from keys to a closed sale, and their results as the page reads them. */
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noticeLines } from '../../../scripts/presale/operator/saleNotices.ts'
import { sha256, hex } from '../../stack/solana/bytes.ts'
import { type Keypair, seededKeypair } from '../../stack/solana/keys.ts'
import { orderMemo } from '../../stack/solana/presale/marks.ts'
import {
  associatedAccount,
  createAssociatedAccount,
  memo,
  transfer,
  transferChecked,
} from '../../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { asThePage, operatorWorld, type OperatorWorld, secretsOf } from './operatorWorld.ts'

const sol = 1_000_000_000n
let stack: SolanaStack
let world: OperatorWorld
let reserve: string[]
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'operator' })
  world = await operatorWorld(stack, 'one-sale')
  reserve = ['--reserve', stack.accounts.reserveTokens]
})
afterAll(async () => {
  world.close()
  await stack.close()
})

const lamportsOf = (address: string) => stack.chain.accounts.at(address, stack.chain.blocks.tip())?.lamports
const sent = (address: string) => stack.chain.ledger.mentioning(address).length
let ids = 0
function buy(name: string, units: bigint): string {
  const buyer: Keypair = seededKeypair('operator', name)
  stack.give(buyer.address, { sol: '1000' })
  const id = (++ids).toString(16).padStart(16, '0')
  const order = { terms: world.hash.slice(0, 16), id, asset: 'SOL', units, quoted: 0n, min: 0n }
  const pay = transfer(buyer.address, world.treasury, units, [world.marks.presale])
  const signature = stack.chain.run([memo(orderMemo(order)), pay], [buyer])
  stack.chain.advance(40)
  return signature
}

describe('init', () => {
  test('as a dry run needs no key, and sends and writes nothing', async () => {
    const { code, out } = await world.run(['init', '--dry-run', '--json'])
    expect(JSON.parse(out)).toEqual({ outcome: 'simulated' })
    expect([code, lamportsOf(world.treasury), existsSync(world.state)]).toEqual([0, undefined, false])
  })

  test('funds the treasury by the payer, so that the ledger counts it as funding, and makes its token accounts', async () => {
    const { code, out } = await world.signed(['init', '--payer', world.at('payer.key'), '--json'])
    expect(JSON.parse(out)).toMatchObject({ outcome: 'sent', baseline: { balances: { SOL: '890880', USDC: '0' } } })
    expect(code).toBe(0)
    expect(lamportsOf(world.treasury)).toBe(890_880n)
    const account = associatedAccount(world.treasury, stack.info.usdcMint)
    expect(lamportsOf(account)).toBe(2_039_280n)
    expect(lamportsOf(world.authority.address)).toBe(10n * sol)
    const { out: totals, err } = await world.run(['ledger', '--json', '--out', world.at('ledger.jsonl')])
    expect(err).toMatch(/: listed 1 transaction, up to slot \d+\n.*: read 1 transaction, complete\n/)
    expect(JSON.parse(totals)).toMatchObject({ statuses: { funding: 1 }, refundsOwed: {} })
  })

  test('repeated sends nothing, and keeps the baseline', async () => {
    const before = sent(world.treasury)
    const { code, out } = await world.signed(['init', '--json'])
    expect(JSON.parse(out)).toMatchObject({ outcome: 'unchanged', baseline: { balances: { SOL: '890880' } } })
    expect([code, sent(world.treasury)]).toEqual([0, before])
  })
})

describe('publish', () => {
  test('needs a reserve with every token for sale and the whole pool for referrals; one unit less is an error', async () => {
    const { payer } = world
    const [mint, { reserve: owner, reserveTokens }] = [stack.info.saleMint, stack.accounts]
    const few = associatedAccount(payer.address, mint)
    // Three stages of 250 million tokens, and 15 million for referrals
    const needed = 765_000_000_000_000_000n
    const move = (from: string, to: string, key: Keypair, amount: bigint) => {
      stack.chain.run([transferChecked({ from, mint, to, authority: key.address, amount, decimals: 9 })], [key])
      stack.chain.advance(40)
    }
    const checked = async () => {
      const { code, out } = await world.run(['check', '--reserve', few])
      return [code, /^.*reserve: .*$/m.exec(out)?.[0]]
    }
    stack.chain.run([createAssociatedAccount(owner.address, payer.address, mint)], [owner])
    move(reserveTokens, few, owner, needed - 1n)
    const short = 'reserve: expected 765,000,000 MAI, got 764,999,999.999999999 MAI (TERMS_RESERVE)'
    expect(await checked()).toEqual([0, `warning  ${short}`])
    const small = await world.signed(['publish', '--accept-warnings', '--reserve', few])
    expect(small.err).toContain(`ERROR    ${short}\n`)
    const none = await world.signed(['publish', '--accept-warnings'])
    expect(none.err).toContain('not checked without --reserve')
    expect([small.code, none.code, world.notices()]).toEqual([1, 1, []])
    move(reserveTokens, few, owner, 1n)
    expect(await checked()).toEqual([0, 'ok       reserve: 765,000,000 MAI, 765,000,000 MAI needed'])
    expect((await world.run(['publish', '--dry-run', '--reserve', few])).code).toBe(0)
    move(few, reserveTokens, payer, needed)
    expect(world.notices()).toEqual([])
  })

  test('stops at a warning unless it is accepted', async () => {
    const path = world.vary('no-mint.json', { token: { ...(world.terms.token as object), mint: null } })
    const { code, err } = await world.signed(['publish', '--terms', path, '--state', world.beside('other')])
    expect(err).toContain(
      'warning  token MAI: the terms name no mint, and once they are published no later version may:',
    )
    const planned = ['plan', '--kind', 'tokens', '--tranche', '0', '--reserve', stack.accounts.reserveTokens]
    const plan = await world.signed([...planned, '--terms', path, '--state', world.beside('other')])
    expect([plan.code, plan.err]).toEqual([
      2,
      expect.stringContaining(
        'the terms expected a mint of MAI, got none, and once published no version may name one: pay',
      ),
    ])
    expect(err).toContain('--accept-warnings')
    expect([code, world.notices()]).toEqual([2, []])
    const dry = await world.run([
      'publish',
      '--dry-run',
      '--accept-warnings',
      '--terms',
      path,
      '--state',
      world.beside('other'),
    ])
    expect([dry.code, world.notices()]).toEqual([0, []])
  })

  test('announces terms and a checkpoint of the baseline, which the page trusts', async () => {
    const { code, out } = await world.signed(['publish', ...reserve])
    expect(out).toContain('version 1 is announced')
    expect(out).toContain(`: terms-${world.hash.slice(0, 16)}.json, notices.json, checkpoint.json\n`)
    expect(code).toBe(0)
    const { board, checkpoint, partial } = await asThePage(stack, world)
    expect(board).toMatchObject({ seq: 2, terms: world.hash, published: [world.hash], paused: false, ignored: 0 })
    expect(checkpoint).toMatchObject({ balances: { SOL: '890880', USDC: '0' }, raised: '0', termsHash: world.hash })
    expect(partial).toBeUndefined()
    const copy = readFileSync(world.at(`terms-${world.hash.slice(0, 16)}.json`))
    expect(hex(sha256(copy))).toBe(world.hash)
  })

  test('repeated sends nothing', async () => {
    const { code, out } = await world.signed(['publish', ...reserve, '--json'])
    expect(JSON.parse(out)).toEqual({ outcome: 'unchanged', seq: 2, files: [] })
    expect([code, world.notices().length]).toEqual([0, 2])
  })

  test('refuses a later version that changes a frozen condition, and one without the file before it', async () => {
    const frozen = world.vary('frozen.json', { version: 2, softCap: '1000000000000000' })
    const both = ['--terms', world.at('terms.json'), '--terms', frozen]
    const changed = await world.signed(['publish', ...both, ...reserve, '--state', world.state])
    expect(changed.err).toContain('softCap expected to stay 200000000000000000, got 1000000000000000')
    const alone = await world.signed(['publish', '--terms', frozen, ...reserve, '--state', world.state])
    expect(alone.err).toContain('--terms expected every version from 1 on, got 2 alone: give the earlier ones, too')
    expect([changed.code, alone.code, world.notices().length]).toEqual([1, 2, 2])
    const access = { mode: 'allowlist', sha256: '0'.repeat(64), url: 'https://sale.test/list' }
    const list = await world.run(['status', '--terms', world.vary('list.json', { access })])
    expect([list.code, list.err]).toEqual([2, expect.stringContaining('expected --allowlist FILE with it, got none')])
  })

  test('names the announced copy in place of terms that were changed since, with a stored ledger and without', async () => {
    const changed = world.vary('changed.json', { end: Number(world.terms.end) + 1 })
    const copy = world.at(`terms-${world.hash.slice(0, 16)}.json`)
    const told = `${changed} was changed since version 1 was published: give terms-${world.hash.slice(0, 16)}.json`
    const elsewhere = ['--state', world.beside('elsewhere')]
    const found = await world.run(['check', '--terms', changed])
    const announced = `the sale was announced with hash ${world.hash}`
    expect([found.code, found.out]).toEqual([1, expect.stringMatching(`${announced}.*give terms-.*TERMS_ANNOUNCED`)])
    const key = ['--keypair', world.at('authority.key')]
    const paid = await world.run(['refund', '--dry-run', '--terms', changed])
    expect([paid.code, paid.err]).toEqual([1, expect.stringMatching(`${announced}.*give terms-`)])
    for (const verb of [['publish', ...reserve, ...key], ['checkpoint', ...key], ['status']]) {
      const args = [...verb, ...elsewhere]
      const { code, err } = await world.run([...args, '--terms', changed])
      expect([code, err]).toEqual([1, expect.stringContaining(told)])
    }
    expect((await world.run(['status', '--terms', copy])).code).toBe(0)
    stack.chain.advance(70)
    expect((await world.run(['ledger', ...elsewhere])).code).toBe(0)
    const { code, err } = await world.run(['status', ...elsewhere, '--terms', changed])
    expect([code, err, world.notices().length]).toEqual([1, expect.stringContaining(told), 2])
  })

  test('refuses other terms with a version that was announced, and a ledger that would begin with them', async () => {
    const other = world.vary('twin.json', { end: Number(world.terms.end) + 1 })
    const [own, twin] = [
      ['--terms', world.at('terms.json')],
      ['--terms', other],
    ]
    const again = await world.signed(['publish', ...own, ...twin, ...reserve])
    expect(again.err).toContain('a later version expected a number above 1, got 1 again')
    expect(again.err).toContain('(TERMS_VERSION)')
    const ledger = (...terms: string[]) => world.run(['ledger', ...terms, '--state', world.beside('other')])
    const [swapped, first] = [await ledger(...twin, ...own), await ledger(...own, ...twin)]
    expect(swapped.err).toContain(`notice 1 announces terms ${world.hash} first`)
    expect(first.out).toBe((await ledger(...own)).out)
    expect([again.code, first.code, swapped.code, world.notices().length]).toEqual([1, 0, 1, 2])
  })
})

describe('pause, resume and checkpoint', () => {
  test('a payment during a pause is owed back, one before and one after are accepted', async () => {
    buy('before', sol)
    const paused = await world.signed(['pause'])
    expect(paused.out).toMatch(/^notice 3 \(pause\): final in slot \d+: \w+\n/)
    expect(paused.out).toContain('the sale is paused')
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 3, paused: true })
    buy('during', 2n * sol)
    expect(JSON.parse((await world.signed(['pause', '--json'])).out)).toMatchObject({ outcome: 'unchanged' })
    await world.signed(['resume'])
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 4, paused: false })
    expect(JSON.parse((await world.signed(['resume', '--json'])).out)).toMatchObject({ outcome: 'unchanged' })
    buy('after', 3n * sol)
    expect(world.notices()).toHaveLength(4)
    const { out } = await world.run(['status', '--json'])
    expect(JSON.parse(out)).toMatchObject({
      orders: 2,
      statuses: { accepted: 2, paused: 1 },
      refundsOwed: { SOL: '2000000000' },
      unfinished: [],
      outOfTurn: [],
    })
  })

  test('a checkpoint has the ledger’s numbers, is trusted by the page, and is not announced twice', async () => {
    const { out } = await world.signed(['checkpoint'])
    expect(out).toContain('written to')
    const { checkpoint } = await asThePage(stack, world)
    expect(checkpoint).toMatchObject({ balances: { SOL: '6000890880' }, orders: 2, refundsOwed: { SOL: '2000000000' } })
    const equal = await world.run([
      'ledger',
      '--checkpoint',
      world.at('checkpoint.json'),
      '--out',
      world.at('ledger.jsonl'),
    ])
    expect(equal.out).toContain(`equal to      ${world.at('checkpoint.json')}`)
    expect(equal.code).toBe(0)
    // Its own notice landed after its slot
    const rows = readFileSync(world.at('ledger.jsonl'), 'utf8').trim().split('\n')
    const signatures = new Set(rows.map(row => JSON.parse(row).sig))
    expect(equal.out).toContain(`complete: ${signatures.size} transactions\n`)
    const again = await world.signed(['checkpoint', '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ outcome: 'unchanged', seq: 5 })
  })

  test('a later version of the terms is announced with a checkpoint, and the ledger judges by it', async () => {
    const path = world.vary('terms-2.json', { version: 2, end: Number(world.terms.end) + 86_400 })
    const both = ['--terms', world.at('terms.json'), '--terms', path]
    const { code } = await world.signed(['publish', ...both, ...reserve])
    expect(code).toBe(0)
    const { board, checkpoint } = await asThePage(stack, world)
    const hash = hex(sha256(readFileSync(path)))
    expect(board).toMatchObject({ seq: 7, terms: hash, published: [world.hash, hash] })
    expect(checkpoint).toMatchObject({ termsHash: hash, orders: 2 })
    expect(existsSync(world.at(`terms-${hash.slice(0, 16)}.json`))).toBe(true)
    const old = await world.signed(['publish', ...reserve])
    expect(old.err).toContain('expected to be newer than the terms in force')
    const edited = world.vary('edited.json', { version: 2, end: Number(world.terms.end) + 86_401 })
    const other = await world.run(['status', '--terms', world.at('terms.json'), '--terms', edited])
    expect(other.err).toContain(`${edited} was changed since version 2 was published: give terms-${hash.slice(0, 16)}`)
    const third = world.vary('terms-3.json', { version: 3, end: Number(world.terms.end) + 2 * 86_400 })
    const gap = await world.signed(['publish', '--terms', world.at('terms.json'), '--terms', third, ...reserve])
    expect(gap.err).toContain(`every announced version, got 1, 3: add terms-${hash.slice(0, 16)}.json,`)
    const unknown = await world.run(['status'])
    expect(unknown.err).toContain(`every announced version, got 1: add terms-${hash.slice(0, 16)}.json,`)
    expect([old.code, gap.code, unknown.code]).toEqual([1, 1, 1])
  })
})

describe('close and result', () => {
  const both = () => ['--terms', world.at('terms.json'), '--terms', world.at('terms-2.json')]

  test('a result before the end is refused', async () => {
    const { code, err } = await world.signed(['result', 'success', ...both()])
    expect(err).toContain('expected a sale that is over, got one that is open')
    expect(code).toBe(1)
  })

  test('a closed sale stays closed', async () => {
    for (let at = 0; at < 9; at += 1) buy(`large ${at}`, 150n * sol)
    const { code } = await world.signed(['close', ...both()])
    expect(code).toBe(0)
    expect((await asThePage(stack, world)).board).toMatchObject({ seq: 8, closed: true })
    for (const verb of ['pause', 'resume']) {
      const open = await world.signed([verb, ...both()])
      expect([open.code, open.err]).toEqual([
        1,
        expect.stringContaining(`${verb} expected an open sale, got one that was closed for ever`),
      ])
    }
    const later = await world.signed(['publish', ...both(), '--terms', world.at('terms-3.json'), ...reserve])
    expect([later.code, later.err]).toEqual([1, expect.stringContaining('version 3 expected an open sale, got one')])
    expect(JSON.parse((await world.signed(['close', ...both(), '--json'])).out)).toMatchObject({ outcome: 'unchanged' })
  })

  test('the result is the ledger’s, with a hash that is in its rows', async () => {
    const wrong = await world.signed(['result', 'failed', ...both()])
    expect(wrong.err).toContain('result expected success, as the ledger has it, got failed')
    const word = await world.signed(['result', 'maybe', ...both()])
    expect(word.err).toContain('result expected success or failed, got maybe')
    const { code } = await world.signed(['result', 'success', ...both()])
    expect(code).toBe(0)
    const { board } = await asThePage(stack, world)
    expect(board).toMatchObject({ seq: 10, result: 'success' })
    await world.run(['ledger', ...both(), '--out', world.at('ledger.jsonl')])
    const rows = readFileSync(world.at('ledger.jsonl'), 'utf8').trim().split('\n')
    const announced = rows.findIndex(row => JSON.parse(row).order === `9:ledger:${board.ledger}`)
    expect(JSON.parse(rows[announced - 1] ?? '').h).toBe(board.ledger)
    const again = await world.signed(['result', 'success', ...both(), '--json'])
    expect(JSON.parse(again.out)).toMatchObject({ outcome: 'unchanged', seq: 10 })
    const other = await world.signed(['result', 'failed', ...both()])
    expect([wrong.code, word.code, other.code]).toEqual([1, 2, 1])
  })

  test('status tells all of it in lines', async () => {
    const { out, code } = await world.run(['status', ...both()])
    expect(out).toContain('state         over, announced: success')
    expect(out).toContain('unfinished    none')
    expect(out).toMatch(/10 {2}result {6}slot \d+ {2}success/)
    expect(out).toMatch(/ 3 {2}pause {7}slot \d+\n/)
    expect(out).toMatch(/orders {8}11 by 11 buyers\n/)
    expect(code).toBe(0)
  })

  test('ledger and status tell what the authority signed in place of a notice', async () => {
    const { address } = world.authority
    const mark = transfer(address, address, 0n, [world.marks.notice])
    const signature = stack.chain.run([memo('mai1n:11:pause:'), mark], [world.authority])
    stack.chain.advance(100)
    const told = `! the authority signed what is no notice under the notices’ reference: ${signature}`
    for (const verb of ['status', 'ledger']) {
      const { out, err } = await world.run([verb, ...both()])
      expect(out + err).toContain(told)
    }
    // A part of the books that is kept has it, too
    expect((await world.run(['ledger', ...both()])).err).toContain(told)
    const { out } = await world.run(['status', ...both(), '--json'])
    expect(JSON.parse(out).ignoredNotices).toEqual([{ signature, why: 'malformed' }])
  })
})

test('columns of the notices align at any number and slot', () => {
  const [hash, signature] = ['a'.repeat(64), 'signature']
  const lines = noticeLines([
    { notice: { seq: 9, verb: 'terms', hash }, signature, slot: 999 },
    { notice: { seq: 10, verb: 'pause' }, signature, slot: 1_000 },
    { notice: { seq: 1_000, verb: 'checkpoint', hash }, signature, slot: 100_000 },
  ])
  expect(lines.map(line => line.split('\n'))).toEqual([
    [`       9  terms       slot    999  ${hash}`, '          signature'],
    ['      10  pause       slot   1000', '          signature'],
    [`    1000  checkpoint  slot 100000  ${hash}`, '          signature'],
  ])
  expect(noticeLines([])).toEqual([])
})

test('no key is in the folders, the state or any output', () => {
  const all = world.everything()
  expect(all).toContain(world.authority.address)
  for (const secret of [world.authority, world.payer].flatMap(secretsOf)) expect(all).not.toContain(secret)
})

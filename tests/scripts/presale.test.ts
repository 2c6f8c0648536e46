/** `npm run presale` over the local chain, whose own evaluation the ledger must equal byte for byte. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presaleCommand } from '../../scripts/presale/command.ts'
import { base58, canonicalJson, concat, littleEndian, sha256 } from '../stack/solana/bytes.ts'
import { addressBytes, type Keypair, seededKeypair } from '../stack/solana/keys.ts'
import { marksOf, orderMemo } from '../stack/solana/presale/marks.ts'
import { giveUsdc } from '../stack/solana/presale/purchases.ts'
import {
  associatedAccount,
  type Instruction,
  memo,
  SYSTEM,
  TOKEN,
  transfer,
  transferChecked,
} from '../stack/solana/programs.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-presale-'))
const inFolder = (name: string) => join(folder, name)
let stack: SolanaStack
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'presale command' })
  writeFileSync(inFolder('terms.json'), await (await fetch(`${stack.url}/terms.json`)).text())
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await stack.close()
})

async function presale(args: string[], call: typeof fetch = fetch) {
  const told = { out: '', err: '' }
  const io = {
    out: { write: (text: string) => (told.out += text) },
    err: { write: (text: string) => (told.err += text) },
    call,
    directory: folder,
    wait: async () => undefined,
  }
  return { code: await presaleCommand(args, io), ...told }
}
const onChain = (...args: string[]) => [...args, '--terms', inFolder('terms.json'), '--rpc', stack.url]
const linesOf = (text: string) => text.split('\n').slice(0, -1)

const key = (name: string) => seededKeypair('presale command', name)
const marks = () => marksOf(stack.info.authority, 'mai-presale-1')
let ids = 0
type Order = { min?: bigint; terms?: string; id?: string; referrer?: string; asset?: string }
const order = (units: bigint, { min = 0n, terms = stack.info.termsHash, id, asset = 'SOL', referrer }: Order = {}) =>
  memo(
    orderMemo({
      terms: terms.slice(0, 16),
      id: id ?? (++ids).toString(16).padStart(16, '0'),
      asset,
      units,
      quoted: min,
      min,
      ...(referrer === undefined ? {} : { referrer }),
    }),
  )
const pay = (payer: Keypair, units: bigint) => transfer(payer.address, stack.info.treasury, units, [marks().presale])
const sol = 1_000_000_000n

function buy(name: string, units: bigint, also: Order = {}): string {
  const buyer = key(name)
  stack.give(buyer.address, { sol: '1000' })
  const signature = stack.chain.run([order(units, also), pay(buyer, units)], [buyer])
  stack.chain.advance(1)
  return signature
}

/** One payment of every kind that the chain lets through, several of them in one slot. */
function everyKind(): void {
  const { chain, control, info } = stack
  buy('whole', sol)
  buy('whole', sol, { id: 'a'.repeat(16), referrer: key('whole').address })
  buy('again', sol, { id: 'a'.repeat(16), referrer: key('whole').address })
  buy('again', sol, { id: 'a'.repeat(16) })
  buy('small', sol / 100n)
  buy('picky', sol, { min: 10n ** 18n })
  buy('much', 200n * sol)
  buy('much', sol)
  buy('old terms', sol, { terms: 'f'.repeat(64) })
  control({ operator: { pause: true } })
  buy('while paused', sol)
  control({ operator: { resume: true } })
  const [payer, other] = [key('payer'), key('other')]
  for (const { address } of [payer, other]) stack.give(address, { sol: '1000' })
  giveUsdc(chain, stack.accounts, payer.address, 1_000_000_000n)
  chain.run([memo('deposit 5'), pay(payer, sol)], [payer])
  chain.run([order(sol), pay(payer, sol), pay(other, 2n * sol)], [payer, other])
  chain.run([order(sol), order(sol), pay(payer, sol)], [payer])
  chain.run([memo('mai1:none'), pay(payer, sol)], [payer])
  chain.run([order(sol + 1n), pay(payer, sol)], [payer])
  chain.run([pay(stack.accounts.authority, sol)], [giveAuthority()])
  chain.run(fromSeed(payer, 3n * sol), [payer])
  const source = associatedAccount(payer.address, info.usdcMint)
  const move = { from: source, mint: info.usdcMint, to: info.treasuryUsdc, amount: 50_000_000n, decimals: 6 }
  chain.run([order(50_000_000n, { asset: 'USDC' }), transferChecked({ ...move, authority: payer.address })], [payer])
  chain.run([approve(source, other.address, payer.address)], [payer])
  chain.run([order(50_000_000n, { asset: 'USDC' }), transferChecked({ ...move, authority: other.address })], [other])
  chain.run([transfer(info.treasury, other.address, sol)], [stack.accounts.treasury])
  chain.advance(1)
}

function giveAuthority(): Keypair {
  stack.give(stack.info.authority, { sol: '10' })
  return stack.accounts.authority
}

function approve(source: string, delegate: string, owner: string): Instruction {
  return {
    program: TOKEN,
    accounts: [{ address: source, writable: true }, { address: delegate }, { address: owner, signer: true }],
    data: concat(Uint8Array.of(4), littleEndian(100_000_000n, 8)),
  }
}

/** A payment out of an account without a key, which is no plain transfer. */
function fromSeed(base: Keypair, units: bigint): Instruction[] {
  const derived = base58(sha256(addressBytes(base.address), 'savings', addressBytes(SYSTEM)))
  const seed = new TextEncoder().encode('savings')
  const data = concat(
    littleEndian(11, 4),
    littleEndian(units, 8),
    littleEndian(seed.length, 8),
    seed,
    addressBytes(SYSTEM),
  )
  const accounts = [
    { address: derived, writable: true },
    { address: base.address, signer: true },
    { address: stack.info.treasury, writable: true },
  ]
  return [transfer(base.address, derived, units), { program: SYSTEM, accounts, data }]
}

describe('npm run presale -- ledger', () => {
  beforeAll(() => {
    everyKind()
    stack.chain.advance(40)
  })

  test('writes the rows that the chain’s own evaluation has, with every kind of payment', async () => {
    const { code, out, err } = await presale(onChain('ledger'))
    const second = stack.operator.evaluate()
    expect(linesOf(out)).toEqual(second.lines)
    expect(err).toContain(second.ledgerHash)
    expect(code).toBe(0)
    expect(Object.keys(second.statuses).sort()).toEqual([
      'accepted',
      'buyer_cap',
      'delegated',
      'duplicate',
      'funding',
      'inner',
      'malformed',
      'mismatch',
      'no_memo',
      'notice',
      'outflow',
      'partial',
      'paused',
      'price_protect',
      'under_min',
      'unknown_terms',
    ])
    expect(second.bonuses[key('whole').address]).toBeGreaterThan(0n)
  })

  test('writes the same rows from a node that tells no place in the block', async () => {
    stack.control({ transactionIndex: false })
    const { out } = await presale(onChain('ledger'))
    stack.control({ transactionIndex: true })
    expect(linesOf(out)).toEqual(stack.operator.evaluate().lines)
  })

  test('writes a file and tells totals as JSON; a second node and a checkpoint are compared', async () => {
    stack.control({ operator: { checkpoint: true } })
    stack.chain.advance(40)
    writeFileSync(inFolder('checkpoint.json'), stack.operator.published.checkpoint ?? '')
    const path = inFolder('ledger.jsonl')
    const more = ['--rpc2', stack.url, '--checkpoint', inFolder('checkpoint.json'), '--json', '--out', path]
    const { code, out } = await presale(onChain('ledger', ...more))
    const totals = JSON.parse(out)
    expect(totals).toMatchObject({ differences: [], presale: 'mai-presale-1', outcome: 'open', ignoredNotices: [] })
    expect(totals.compared).toHaveLength(2)
    const rows = linesOf(readFileSync(path, 'utf8'))
    expect(rows).toEqual(stack.operator.evaluate().lines.slice(0, rows.length))
    expect(JSON.parse(rows.at(-1) ?? '').h).toBe(totals.ledgerHash)
    expect(existsSync(`${path}.part`)).toBe(false)
    expect(code).toBe(0)
  })

  test('names the numbers that a checkpoint says otherwise', async () => {
    const checkpoint = JSON.parse(stack.operator.published.checkpoint ?? '')
    stack.control({ operator: { sellOut: true } })
    stack.chain.advance(40)
    writeFileSync(inFolder('sold.json'), stack.operator.published.checkpoint ?? '')
    const { code, err } = await presale(onChain('ledger', '--checkpoint', inFolder('sold.json')))
    expect(err).toMatch(/says raised 825000000000000000, the ledger has \d+/)
    expect(code).toBe(1)
    writeFileSync(inFolder('forged.json'), canonicalJson({ ...checkpoint, orders: 99 }))
    const forged = await presale(onChain('ledger', '--checkpoint', inFolder('forged.json')))
    expect(forged).toMatchObject({ code: 1, out: '' })
    expect(forged.err).toContain('expected the signature of the sale’s authority')
  })

  test('up to a slot ends there', async () => {
    const { slot } = JSON.parse(stack.operator.evaluate().lines.at(4) ?? '')
    const { out } = await presale(onChain('ledger', '--slot', String(slot)))
    expect(linesOf(out)).toEqual(stack.operator.evaluate().lines.slice(0, 5))
    const future = await presale(onChain('ledger', '--slot', '99999999'))
    expect(future.err).toContain('slot 99999999 expected to be final')
    expect(future).toMatchObject({ code: 1, out: '' })
  })

  test('writes nothing when a node leaves a payment out, and names the place', async () => {
    const path = inFolder('none.jsonl')
    const payment = stack.chain.ledger.mentioning(stack.info.treasury)[5]?.signature ?? ''
    const { code, err, out } = await presale(onChain('ledger', '--out', path), without(payment))
    expect(err).toMatch(/the balance of SOL expected \d+ before \w+ in slot \d+, got \d+: a transaction is missing/)
    expect([code, out, existsSync(path), existsSync(`${path}.part`)]).toEqual([1, '', false, false])
  })

  test('into a folder is refused before a transaction is read', async () => {
    let reads = 0
    const call: typeof fetch = (url, init) => {
      if (String(init?.body).includes('"getTransaction"')) reads += 1
      return fetch(url, init)
    }
    const { code, err } = await presale(onChain('ledger', '--out', inFolder('.')), call)
    expect([code, err, reads]).toEqual([
      2,
      expect.stringContaining(`--out expected the path of a file, got the folder ${inFolder('.')}`),
      0,
    ])
  })

  test('names the option whose address is none', async () => {
    const { err } = await presale(onChain('ledger', '--rpc2', 'node'))
    expect(err).toContain('--rpc2 expected an address such as')
  })

  test('names the signatures that a second node lacks', async () => {
    const stray = key('stray')
    stack.give(stray.address, { sol: '1' })
    const spam = stack.chain.run([transfer(stray.address, stray.address, 0n, [marks().notice])], [stray])
    stack.chain.advance(40)
    const second = stack.url.replace('127.0.0.1', 'localhost')
    const { code, err } = await presale(onChain('ledger', '--rpc2', second), without(spam, 'localhost'))
    expect(err).toContain(`lacks ${spam}`)
    expect(code).toBe(1)
  })

  test('waits for a node that is busy, and gives up on one that stays so', async () => {
    stack.control({ faults: { getTransaction: { kind: 'status', status: 429, retryAfter: 1, times: 5 } } })
    expect((await presale(onChain('ledger'))).code).toBe(0)
    stack.control({ faults: { getTransaction: { kind: 'status', status: 503 } } })
    const { code, err } = await presale(onChain('ledger'))
    stack.control({ faults: {} })
    expect(err).toMatch(/the node at [\d.:]+ expected to answer getTransaction, got HTTP status 503/)
    expect(code).toBe(1)
  })

  test('of another chain is refused', async () => {
    stack.control({ faults: { getGenesisHash: { kind: 'wrongGenesis' } } })
    const { code, err } = await presale(onChain('ledger'))
    stack.control({ faults: {} })
    expect(err).toContain('the node expected chain')
    expect(code).toBe(1)
  })
})

describe('npm run presale -- prove', () => {
  test('reports a buyer’s rows, allocation and calendar', async () => {
    const { code, out } = await presale(onChain('prove', key('whole').address))
    expect(out).toMatch(/2 rows of the ledger up to slot \d+/)
    expect(out).toContain('accepted: 1 SOL paid, 1 SOL accepted, ')
    expect(out).toMatch(/referral bonus [\d,.]+ MAI/)
    expect(out.match(/free from \d{4}-\d\d-\d\d/g)).toHaveLength(4)
    expect(code).toBe(0)
  })

  test('reports one payment by its signature, as JSON, with its refund', async () => {
    const signature = buy('proved', sol, { min: 10n ** 18n })
    stack.chain.advance(40)
    const { out } = await presale(onChain('prove', signature, '--json'))
    expect(JSON.parse(out)).toMatchObject({
      rows: [{ sig: signature, status: 'price_protect', refund: '1000000000' }],
      tokens: '0',
    })
  })

  test('of a stranger says so by its exit code', async () => {
    expect((await presale(onChain('prove', key('nobody').address))).code).toBe(1)
  })
})

describe('npm run presale -- check', () => {
  test('finds nothing wrong with the local sale and its reserve', async () => {
    const { code, out } = await presale(onChain('check', '--reserve', stack.accounts.reserveTokens))
    expect(linesOf(out).map(line => line.slice(0, 8).trim())).toEqual(Array.from({ length: 9 }, () => 'ok'))
    expect(out).toContain('mint authority: given up for ever')
    expect(code).toBe(0)
  })

  const changed = (name: string, change: (terms: any) => unknown): string => {
    const terms = JSON.parse(readFileSync(inFolder('terms.json'), 'utf8'))
    writeFileSync(inFolder(name), canonicalJson(change(terms)))
    return inFolder(name)
  }

  test('finds a mint with other decimals, a treasury of a program, and a reserve of another token', async () => {
    const path = changed('wrong.json', terms => ({
      ...terms,
      token: { ...terms.token, decimals: 8 },
      treasury: stack.info.treasuryUsdc,
    }))
    const args = ['check', '--terms', path, '--rpc', stack.url, '--reserve', stack.info.treasuryUsdc, '--json']
    const { code, out } = await presale(args)
    const errors = (JSON.parse(out) as { level: string; about: string }[]).filter(({ level }) => level === 'error')
    expect(errors.map(({ about }) => about.split(' ')[0])).toEqual(['treasury', 'terms,', 'token', 'reserve'])
    expect(code).toBe(1)
  })

  test('finds a later version that changes frozen terms', async () => {
    const path = changed('second.json', terms => ({ ...terms, version: 2, softCap: '1' }))
    const { code, out } = await presale(onChain('check', '--terms', path))
    expect(out).toContain('ERROR    terms, version 2: softCap expected to stay 200000000000000000, got 1')
    expect(code).toBe(1)
  })

  test('names the rule that terms break', async () => {
    const path = changed('broken.json', terms => ({ ...terms, softCap: '9'.repeat(30) }))
    const { code, err } = await presale(['check', '--terms', path, '--rpc', stack.url])
    expect(err).toContain('(TERMS_SOFT_CAP)')
    expect(code).toBe(1)
  })
})

describe('a wrong command', () => {
  test.each([
    [['ledgr'], 'did you mean ledger?'],
    [['ledger'], 'expected --terms FILE with the published terms, got none'],
    [['ledger', '--terms', 'nowhere.json'], 'cannot read nowhere.json: there is no such file'],
    [['ledger', '--tems', 'x'], 'did you mean --terms?'],
    [['prove'], 'expected a wallet or a signature, got nothing'],
    [['prove', 'me'], 'expected a wallet or a signature in base58, got me'],
  ])('%j is refused in one sentence', async (args, sentence) => {
    const { code, err, out } = await presale(args)
    expect(err).toContain(sentence)
    expect([code, out]).toEqual([2, ''])
  })

  test('without a node, or with one that is no address or does not answer, is refused without its URL', async () => {
    const terms = ['--terms', inFolder('terms.json')]
    expect((await presale(['ledger', ...terms])).err).toContain('expected --rpc URL')
    expect((await presale(['ledger', ...terms, '--rpc', 'node'])).err).toContain('--rpc expected an address such as')
    const { code, err } = await presale(['ledger', ...terms, '--rpc', 'http://127.0.0.1:9/secret-key'])
    expect(err).toBe('the node at 127.0.0.1:9 expected to answer getGenesisHash, got no answer\n')
    expect(code).toBe(1)
  })

  test('gets help, of all verbs and of each', async () => {
    expect((await presale(['--help'])).out).toContain('npm run presale -- VERB')
    for (const verb of ['check', 'ledger', 'prove']) {
      const { code, out } = await presale([verb, '--help'])
      expect(out).toContain(`Examples:\n  npm run presale -- ${verb} `)
      expect(code).toBe(0)
    }
  })
})

/** A node that lists no such transaction; `host`: of this host alone. */
function without(signature: string, host = ''): typeof fetch {
  return async (url, init) => {
    const answer = await fetch(url, init)
    const text = await answer.text()
    const isList = String(init?.body).includes('getSignaturesForAddress') && String(url).includes(host)
    if (!isList) return new Response(text, answer)
    const body = JSON.parse(text)
    const result = body.result.filter((line: { signature: string }) => line.signature !== signature)
    return new Response(JSON.stringify({ ...body, result }), answer)
  }
}

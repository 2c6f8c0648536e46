/**
 * Every status of the ledger, every rule of the terms and every code of a failure has a test that reaches it: here, or by its name.
 * The lists come from the source, so that a new one without a row fails.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failureCodes } from '../../src/events/failureCodes.ts'
import type { judgeOrder } from '../../src/events/sale/payments/order.ts'
import { readTerms } from '../../src/events/sale/terms/terms.ts'
import type { FailureCode } from '../../src/runtime/failure.ts'
import { createHttp } from '../../src/worker/host/aloneTransport.ts'
import { createSolanaDriver } from '../../src/worker/drivers/solana/solana.ts'
import { memoryBytes } from '../../src/worker/drivers/bytes.ts'
import type { Finding } from '../../src/worker/ledger/findings.ts'
import { callOf } from '../scripts/presale/payouts/world.ts'
import { createChain } from '../stack/solana/chain.ts'
import type { FilledKind } from '../stack/solana/presale/fill/kinds.ts'
import { type Ending, ENDINGS } from '../stack/solana/presale/fill/fill.ts'
import { saleAccounts } from '../stack/solana/presale/saleAccounts.ts'
import { describeSale, setUpSale } from '../stack/solana/presale/setup.ts'
import { type SolanaStack, startSolana } from '../stack/solana/server.ts'
import { ledgerFrom } from '../worker/ledger/bothLedgers.ts'
import { ledgerSaleOf } from '../../src/worker/ledger/ledgerSale.ts'
import { openNode } from '../../scripts/presale/node.ts'
import { begun, connectInstalled, theOrder } from '../worker/story.ts'
import type { World } from '../worker/world.ts'

const source = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const plain = (text: string) => text.replaceAll(/\\'|’/g, "'")

/** A test by file, in `tests`, and the first words of its name or of its row. */
type Named = readonly [file: string, words: string]

/** @returns a sentence for each named test that is not there */
function absent(rows: Readonly<Record<string, Named>>): string[] {
  return Object.entries(rows).flatMap(([code, [file, words]]) =>
    plain(source(`tests/${file}`)).includes(plain(words)) ? [] : [`${code}: ${file} has no test “${words}”`],
  )
}

type LedgerStatus =
  | ReturnType<typeof judgeOrder>['status']
  | Extract<Finding, { kind: 'refused' }>['status']
  | Exclude<Finding['kind'], 'order' | 'refused'>
  | 'unknown_terms'

/** A kind of transaction of a filled sale that meets the status; `announced`: a notice of the operator. */
const statuses: Record<LedgerStatus, FilledKind | 'announced'> = {
  accepted: 'sol',
  partial: 'lastPart',
  early: 'early',
  late: 'late',
  paused: 'paused',
  not_allowed: 'notAllowed',
  duplicate: 'duplicate',
  sold_out: 'soldOut',
  buyer_cap: 'buyerCap',
  under_min: 'underMin',
  price_protect: 'priceProtect',
  unknown_terms: 'unknownTerms',
  no_memo: 'noMemo',
  malformed: 'twoOrders',
  mismatch: 'wrongUnits',
  delegated: 'delegated',
  inner: 'closedAccount',
  funding: 'funding',
  outflow: 'outflow',
  notice: 'announced',
}

describe('statuses of the ledger', () => {
  let sales: SolanaStack[]
  const started = (fill: { ending?: Ending; allowlist?: boolean }) =>
    startSolana({ clock: 'manual', seed: 'sale codes', fill: { orders: 90, ...fill } })
  beforeAll(async () => {
    sales = await Promise.all([...ENDINGS.map(ending => started({ ending })), started({ allowlist: true })])
  })
  afterAll(() => Promise.all((sales ?? []).map(sale => sale.close())))

  test('are each met by the transactions that were made for it, in the product’s own ledger of the local chain', async () => {
    const met = new Map<string, Set<string>>()
    for (const { url, info, filled } of sales) {
      const { terms } = readTerms(await (await fetch(info.termsUrl)).text())
      const listed = await fetch(`${url}/allowlist.txt`)
      const admitted = listed.ok ? new Set((await listed.text()).split('\n').filter(line => line !== '')) : undefined
      const node = openNode(url, { wait: async () => undefined })
      const { lines } = await ledgerFrom(node.call, ledgerSaleOf([{ terms, hash: info.termsHash }], admitted))
      const kinds = new Map(filled.map(({ signature, kind }) => [signature, kind]))
      for (const line of lines) {
        const { sig, status } = JSON.parse(line) as { sig: string; status: string }
        const by = kinds.get(sig) ?? 'announced'
        met.set(status, (met.get(status) ?? new Set()).add(by))
      }
    }
    expect([...met.keys()].sort()).toEqual(Object.keys(statuses).sort())
    for (const [status, kind] of Object.entries(statuses)) expect([...(met.get(status) ?? [])]).toContain(kind)
  })
})

describe('rules of the terms', () => {
  test('are each broken by a document of a test', () => {
    const folder = 'src/events/sale/terms'
    const files = readdirSync(join(import.meta.dirname, '../..', folder))
    const rules = new Set(files.flatMap(file => source(`${folder}/${file}`).match(/TERMS_[A-Z_]*[A-Z]/g) ?? []))
    expect(rules.size).toBeGreaterThan(30)
    const tested = source('tests/events/sale/terms/terms.test.ts')
    expect([...rules].filter(rule => !tested.includes(rule))).toEqual([])
  })

  test('about other versions and the chain are each met by a finding of a test', () => {
    const rules = new Set(source('scripts/presale/check.ts').match(/TERMS_[A-Z_]*[A-Z]/g))
    for (const rule of ['TERMS_FROZEN', 'TERMS_TREASURY_OWNER', 'TERMS_RESERVE']) expect(rules).toContain(rule)
    const files = ['check.test.ts', 'operator.test.ts', 'treasuryHistory.test.ts']
    const tested = files.map(file => source(`tests/scripts/presale/${file}`)).join()
    expect([...rules].filter(rule => !tested.includes(rule))).toEqual([])
  })
})

const [driver, journey] = ['worker/drivers/solana/solana.test.ts', (name: string) => `journeys/${name}.journey.ts`]

/** The test that reaches each code; where the chain is concerned, on the local chain. */
const codes: Record<FailureCode, Named> = {
  user_rejected: [journey('refused'), 'a visitor who declines, and a wallet that alters'],
  wallet_gone: [journey('killed'), 'a page reloaded while its wallet asks proves that nothing was paid'],
  wallet_changed_tx: [journey('refused'), 'a visitor who declines, and a wallet that alters'],
  wallet_locked: ['main/drivers/wallets.test.ts', 'a locked wallet'],
  account_changed: [journey('endings'), 'a wallet that left its account meanwhile is not asked for it'],
  insufficient_sol: [driver, 'paying with an empty account, too little SOL, or a rest that rent forbids'],
  insufficient_token: [driver, 'paying absent tokens is refused with amounts'],
  rent: [driver, 'paying with an empty account, too little SOL, or a rest that rent forbids'],
  account_not_found: [driver, 'paying with an empty account, too little SOL, or a rest that rent forbids'],
  no_token_account: [driver, 'paying absent tokens is refused with amounts'],
  compute: ['worker/drivers/solana/rebuilt.test.ts', 'is refused when that is too little, too, and tried no more'],
  decimals: [driver, 'another chain, another treasury account, other decimals or other terms are refused'],
  blockhash_not_found: ['worker/drivers/solana/rebuilt.test.ts', 'is refused after that, with the code'],
  expired: [journey('endings'), 'a payment that never lands is proved to have expired'],
  // The page shows it as a step: the payment is sent again, with the blocks that are left
  dropped: [journey('endings'), 'a payment that the network holds back lands late and is paid once'],
  on_chain_error: [journey('endings'), 'a payment that fails on the chain is told as that, with what it cost'],
  simulation_failed: ['worker/rpc/transactionErrors.test.ts', "toBe('simulation_failed')"],
  stale_quote: [journey('corpus'), 'the price moves, and then the sale sells out, while the wallet asks'],
  sold_out: [journey('corpus'), 'the price moves, and then the sale sells out, while the wallet asks'],
  paused: [journey('corpus'), 'a pause while the wallet asks refuses the payment'],
  ended: [journey('lateMoney'), 'the end comes: a payment on its way is not accepted'],
  not_started: ['contracts/saleCodes.test.ts', 'an order before the start is refused'],
  rate_limited: [driver, 'a node that keeps limiting is rate limited'],
  unreachable: [driver, 'it is called when the first cannot be reached for this call'],
  offline: [journey('refused'), 'offline says so and comes back'],
  bad_response: [driver, 'a node that answers HTML is a bad response'],
  bad_input: ['worker/drivers/solana/send.test.ts', "code: 'bad_input'"],
  unauthorized: ['worker/drivers/http.test.ts', "[401, 'unauthorized', 1]"],
  unsupported: ['worker/drivers/hostileSale.test.ts', "code: 'unsupported'"],
  wrong_cluster: [driver, 'another chain, another treasury account, other decimals or other terms are refused'],
  terms_invalid: [driver, 'a terms file cut in the middle is refused by name'],
  terms_changed: [driver, 'another chain, another treasury account, other decimals or other terms are refused'],
  treasury_mismatch: [driver, 'another chain, another treasury account, other decimals or other terms are refused'],
  rpc_lying: ['worker/drivers/solana/sale/ledger.test.ts', "toMatchObject({ code: 'rpc_lying'"],
  storage_down: [journey('refused'), 'without storage a visitor may connect and look, and buying is off'],
  reload_needed: [journey('refused'), 'a part of the page that is gone after a deployment is missed'],
  elsewhere: ['worker/drivers/solana/sale/ledger.test.ts', "code: 'elsewhere'"],
  busy: ['main/drivers/wallets.test.ts', 'an open request'],
  core_lost: ['worker/drivers/solana/sale/ledger.test.ts', "code: 'core_lost'"],
  timeout: ['contracts/servicesFaults.test.ts', "code: 'timeout'"],
  unknown: ['main/drivers/wallets.test.ts', 'an error whose properties throw counts as unknown'],
}

/** The closed list of the reference (§10): a code here, a status of the ledger, or a note of the page. */
const ofReference: Record<string, FailureCode | LedgerStatus | Named> = {
  ...Object.fromEntries(
    [
      'user_rejected wallet_gone wallet_changed_tx account_changed insufficient_sol insufficient_token rent',
      'account_not_found no_token_account compute decimals blockhash_not_found expired dropped on_chain_error',
      'stale_quote sold_out paused ended not_started rate_limited rpc_lying terms_changed terms_invalid',
      'wrong_cluster treasury_mismatch storage_down not_allowed late partial',
    ].flatMap(line => line.split(' ').map(code => [code.toUpperCase(), code as FailureCode])),
  ),
  RPC_DOWN: 'unreachable',
  SOLD_OUT_LATE: 'sold_out',
  PRICE_LATE: 'price_protect',
  CLOCK_SKEW: ['ui/presale/page.test.tsx', 'a clock of the device that is off is told, and times follow the chain'],
}

describe('codes of failures', () => {
  test('have a row each, with a test that is there', () => {
    expect(Object.keys(codes).sort()).toEqual([...failureCodes].sort())
    expect(absent(codes)).toEqual([])
  })

  test('are those of the closed list, or statuses of it', () => {
    const known = new Set<string>([...failureCodes, ...Object.keys(statuses)])
    const named = Object.entries(ofReference).filter((entry): entry is [string, Named] => typeof entry[1] !== 'string')
    expect(Object.values(ofReference).filter(code => typeof code === 'string' && !known.has(code))).toEqual([])
    expect(absent(Object.fromEntries(named))).toEqual([])
  })

  test('an order before the start is refused', async () => {
    const base = 1_798_848_000
    const chain = createChain({ seed: 'before the start', startUnix: base - 2 * 86_400 })
    const accounts = saleAccounts('before the start')
    const sale = describeSale(chain, accounts, base)
    const { published } = setUpSale(chain, accounts, sale)
    const files = new Map([
      ['/terms.json', sale.termsText],
      ['/checkpoint.json', published.checkpoint ?? ''],
    ])
    expect(chain.blocks.tip().time).toBeLessThan(sale.terms.start)
    const node = callOf(chain)
    const drivers = createSolanaDriver({
      rpcUrls: ['http://chain.test'],
      termsUrl: 'http://sale.test/terms.json',
      sale: { authority: sale.authority.address, id: sale.terms.id },
      http: createHttp({
        wait: async () => {},
        fetch: async (url, init) => {
          const { origin, pathname } = new URL(String(url))
          if (origin === 'http://chain.test') return node(url, init)
          return files.has(pathname) ? new Response(files.get(pathname)) : new Response('', { status: 404 })
        },
      }),
      bytes: memoryBytes(),
      now: () => 0,
    })
    const world = begun()
    world.answer('chain.identify', 'chain.identified', {
      genesisHash: chain.genesisHash,
      caip2: `solana:${chain.genesisHash.slice(0, 32)}`,
    })
    await carried(world, drivers, ['chain.readTerms', 'chain.readNotices', 'chain.readSale'])
    const { terms } = readTerms(sale.termsText)
    world.answer('sale.readLegal', 'sale.legal', { sha256: terms.legal.sha256, url: terms.legal.url })
    connectInstalled(world)
    world.command('order.place', {
      orderKey: '00112233445566ff',
      asset: 'SOL',
      units: '2500000000',
      quoted: '1',
      min: '1',
      termsHash: sale.termsHash,
      acknowledged: terms.legal.acknowledge,
    })
    expect(theOrder(world)).toMatchObject({ phase: 'gateRefused', failure: { code: 'not_started' } })
  })
})

/** Carries out these effects by the real drivers, each kind once. */
async function carried(
  world: World,
  drivers: ReturnType<typeof createSolanaDriver>,
  types: readonly ('chain.readTerms' | 'chain.readNotices' | 'chain.readSale')[],
): Promise<void> {
  for (const type of types) {
    const { id, data } = world.last(type)
    await new Promise<void>(done => {
      void drivers[type]?.({ id, data: data as never }, answer => {
        if (answer.type === 'effect.failed') throw new Error(`${type}: ${JSON.stringify(answer.data)}`)
        world.answer(type, answer.type as never, answer.data as never)
        done()
      })
    })
  }
}

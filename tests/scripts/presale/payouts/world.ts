/** A local chain in this process with a plan to pay, without servers and timers: time moves when the payer waits. */
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { presaleRef } from '../../../../src/worker/chains/solana/references.ts'
import { ledgerSaleOf } from '../../../../src/worker/ledger/ledgerSale.ts'
import { openNode } from '../../../../scripts/presale/node.ts'
import { packed } from '../../../../scripts/presale/payouts/batch.ts'
import { byOwner } from '../../../../scripts/presale/payouts/merkle.ts'
import { type Limits, tokenRent } from '../../../../scripts/presale/payouts/limits.ts'
import type { Paying } from '../../../../scripts/presale/payouts/payBatch.ts'
import { type Plan, planHash, type PlanRow } from '../../../../src/worker/services/planFile.ts'
import type { Journal, JournalLine } from '../../../../scripts/presale/state.ts'
import { base58, sha256 } from '../../../stack/solana/bytes.ts'
import { type Chain, createChain } from '../../../stack/solana/chain.ts'
import type { Keypair } from '../../../stack/solana/keys.ts'
import { saleAccounts } from '../../../stack/solana/presale/saleAccounts.ts'
import { describeSale, setUpSale } from '../../../stack/solana/presale/setup.ts'
import { associatedAccount, CLOCK_SYSVAR, TOKEN } from '../../../stack/solana/programs.ts'
import { answerText } from '../../../stack/solana/rpc.ts'
import { readTokenAccount } from '../../../stack/solana/tokens.ts'

const baseUnix = 1_798_848_000

export type World = ReturnType<typeof openWorld>

/** One sale on one chain; each plan of it has recipients of its own. */
export function openWorld(seed: string) {
  const chain = createChain({ seed, startUnix: baseUnix - 172_800 })
  const accounts = saleAccounts(seed)
  const described = describeSale(chain, accounts, baseUnix)
  setUpSale(chain, accounts, described)
  const { terms } = readTerms(described.termsText)
  const sale = ledgerSaleOf([{ terms, hash: described.termsHash }])
  const owners = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => base58(sha256('recipient\0', name, '\0', String(at))))
  const head = (lanes: number, kind: Plan['kind'], assets: Plan['assets']): Omit<Plan, 'batches'> => ({
    format: 'mai-presale-plan/1',
    presale: presaleRef(terms.authority, terms.id),
    termsHash: described.termsHash,
    kind,
    tranche: kind === 'tokens' ? 0 : null,
    ledgerHash: '0'.repeat(64),
    rows: 0,
    payer: accounts.reserve.address,
    lanes,
    assets,
    apart: [],
  })
  const amount = (at: number) => String(1_000_000n + BigInt(at))
  return {
    chain,
    accounts,
    sale,
    /** moves time on, so that each transaction so far is final */
    pass: () => chain.advance(33),
    /** units of an account: tokens of a token account, lamports of a wallet */
    held(address: string): bigint {
      const account = chain.accounts.now(address)
      return readTokenAccount(account)?.amount ?? account?.lamports ?? 0n
    },
    /** a plan for new recipients of tokens */
    tokenPlan(name: string, { count, lanes }: { count: number; lanes: number }): Plan {
      const [mint, source] = [accounts.saleMint.address, accounts.reserveTokens]
      const draft = head(lanes, 'tokens', { MAI: { decimals: 9, mint, program: TOKEN, source } })
      const rows = byOwner(
        owners(name, count).map((owner, at): PlanRow => {
          return { owner, to: associatedAccount(owner, mint), units: amount(at), of: [`0:${owner}`], create: true }
        }),
      )
      return { ...draft, batches: packed(draft, 'MAI', { rows, first: 0 }) }
    },
    /** a plan for new recipients of SOL */
    solPlan(name: string, { count, lanes }: { count: number; lanes: number }): Plan {
      const draft = head(lanes, 'refunds', { SOL: { decimals: 9 } })
      const rows = byOwner(
        owners(name, count).map(
          (owner, at): PlanRow => ({ owner, to: owner, units: amount(at), of: [`${at}:refund`] }),
        ),
      )
      return { ...draft, batches: packed(draft, 'SOL', { rows, first: 0 }) }
    },
  }
}

/** A `fetch` that the chain in this process answers. `before` sees each method first, and may throw. `lag`: slots it is behind. */
export function callOf(
  chain: Chain,
  before: (method: string, params: unknown[]) => void = () => undefined,
  lag = 0,
): typeof fetch {
  return async (_url, init) => {
    const text = answerText(
      String(init?.body),
      (method, params, run) => {
        before(method, params)
        const hold = () => undefined
        return run({
          chain,
          lag,
          landing: 'now',
          hold,
          transactionIndex: 'right',
          slotOrder: 'block',
          overlap: false,
        })
      },
      () => false,
    )
    return new Response(text)
  }
}

/** A `fetch` whose answers change on their way: `change` gets method, parameters and result. `lag`: as for `callOf`. */
export function changing(
  chain: Chain,
  change: (method: string, params: unknown[], result: unknown) => unknown,
  lag = 0,
): typeof fetch {
  const serve = callOf(chain, undefined, lag)
  return async (url, init) => {
    const { method, params } = JSON.parse(String(init?.body))
    const answer = await (await serve(url, init)).json()
    const result = 'result' in answer ? { ...answer, result: change(method, params, answer.result) } : answer
    return new Response(JSON.stringify(result))
  }
}

/** A node whose chain time is so many seconds ahead; `lag`: as for `callOf`. */
export function clockAhead(chain: Chain, seconds: number, lag = 0): typeof fetch {
  const change = (method: string, [addresses]: any[], result: any) => {
    const at = method === 'getMultipleAccounts' ? addresses.indexOf(CLOCK_SYSVAR) : -1
    if (at < 0) return result
    const data = Buffer.from(result.value[at].data[0], 'base64')
    data.writeBigInt64LE(data.readBigInt64LE(32) + BigInt(seconds), 32)
    const clock = { ...result.value[at], data: [data.toString('base64'), 'base64'] }
    return { ...result, value: result.value.with(at, clock) }
  }
  return changing(chain, change, lag)
}

/** A `fetch` to two nodes, of which `secondNode` names the second. */
export function twoNodes(first: typeof fetch, second: typeof fetch): typeof fetch {
  return (url, init) => (String(url).includes('second.test') ? second : first)(url, init)
}
export const secondNode = ['--rpc2', 'http://second.test']

/** A journal without a file. */
export function memoryJournal(lines: readonly JournalLine[] = []): Journal & { lines: JournalLine[] } {
  const kept = [...lines]
  return { lines: kept, add: line => void kept.push(line) }
}

type Given = { plan: Plan; journal: Journal; call?: typeof fetch; second?: typeof fetch; wait?: () => Promise<void> }

const hashes = new WeakMap<Plan, string>()

/** A large plan takes long to hash, and a proof runs it thousands of times. */
function hashOf(plan: Plan): string {
  const hash = hashes.get(plan) ?? planHash(plan)
  hashes.set(plan, hash)
  return hash
}

/** A payer at work. */
export function payingOf(world: World, { plan, journal, call = callOf(world.chain), second, wait }: Given): Paying {
  const pass = wait ?? (async () => world.pass())
  const node = openNode('http://chain.test', { call, wait: pass })
  return {
    sale: world.sale,
    hashed: { plan, hash: hashOf(plan) },
    sending: { node, journal, wait: pass },
    second: second && openNode('http://second.test', { call: second, wait: pass }),
    limits: noLimits(),
  }
}

/** @returns limits of a new run, with rents of accounts without extensions */
export function noLimits(): Limits {
  const counted = new Map()
  return { mostLamports: undefined, mostUnits: new Map(), lamports: 0n, units: new Map(), rent: tokenRent, counted }
}

/** The paying key as a command reads it. */
export const keyOf = ({ address, sign }: Keypair) => ({ address, sign })

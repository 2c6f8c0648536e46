import type { TransactionRecord } from '../../../solana/ledger.ts'
import { sol, tokenOf } from '../../tokens.ts'
import { uuidOf } from '../../uuid.ts'
import type { World } from '../../world.ts'
import type { HistoryEntry, HistoryView, Transfer } from './entry.ts'
import { tokenTransfer } from './transfers.ts'

/** The local chain's transactions that touch an account or one of its token accounts, newest first. */
export function chainHistory(world: World, view: HistoryView): HistoryEntry[] {
  if (!world.solana) return []
  const { accounts, blocks, ledger } = world.solana.chain
  const owned = accounts.tokenAccounts('owner', view.address, blocks.tip()).map(one => one.address)
  const records = new Set([view.address, ...owned].flatMap(address => ledger.mentioning(address)))
  return [...records].sort((a, b) => b.slot - a.slot || b.index - a.index).map(record => entryOf(world, record, view))
}

function entryOf(world: World, record: TransactionRecord, view: HistoryView): HistoryEntry {
  const changes = record.err === null ? changesOf(record) : []
  const own = changes.filter(({ owner }) => owner === view.address)
  const transfers = own.map(({ mint, change, decimals }): Transfer => {
    return tokenTransfer(mint === undefined ? sol : tokenOf(world, mint, decimals), change, view)
  })
  const [main] = [...own].sort((a, b) => Number(a.mint === undefined) - Number(b.mint === undefined))
  const other = main && counterparty(changes, main)
  return {
    // The real service's block ids repeat within a block.
    id: uuidOf(`history ${record.signature}`),
    metadata: {
      operationType: operationOf(main, other),
      hash: record.signature,
      minedAt: new Date(record.time * 1000).toISOString(),
      sentFrom: (main && main.change > 0n ? other?.owner : view.address) ?? record.addresses[0] ?? '',
      sentTo: (main && main.change > 0n ? view.address : other?.owner) ?? view.address,
      status: record.err === null ? 'confirmed' : 'failed',
      nonce: 0,
      application: null,
      chain: view.chain,
    },
    transfers,
  }
}

/** Change of one owner's holding by a transaction, in base units; without a mint it is lamports, the fee left out. */
type Change = { owner: string; mint: string | undefined; change: bigint; decimals: number }

function changesOf(record: TransactionRecord): Change[] {
  const lamports = record.addresses.map((owner, place): Change => {
    const fee = place === 0 ? BigInt(record.fee) : 0n
    const change = BigInt(record.after[place] ?? 0) - BigInt(record.before[place] ?? 0) + fee
    return { owner, mint: undefined, change, decimals: 9 }
  })
  const tokens = new Map<string, Change>()
  for (const [sign, balances] of [[-1n, record.tokensBefore] as const, [1n, record.tokensAfter] as const])
    for (const { owner, mint, amount, decimals } of balances) {
      const key = `${owner} ${mint}`
      const change = (tokens.get(key)?.change ?? 0n) + sign * BigInt(amount)
      tokens.set(key, { owner, mint, change, decimals })
    }
  return [...tokens.values(), ...lamports].filter(({ change }) => change !== 0n)
}

/** The owner whose holding of the same token changed most the other way. */
function counterparty(changes: Change[], { mint, change }: Change): Change | undefined {
  const others = changes.filter(one => one.mint === mint && one.change > 0n !== change > 0n)
  const size = (one: Change): bigint => (one.change < 0n ? -one.change : one.change)
  return others.sort((a, b) => (size(a) > size(b) ? -1 : 1))[0]
}

function operationOf(main: Change | undefined, other: Change | undefined): string {
  if (!main) return 'execute'
  const isToken = main.mint !== undefined
  if (main.change > 0n) return isToken && !other ? 'mint' : 'receive'
  return isToken && !other ? 'burn' : 'send'
}

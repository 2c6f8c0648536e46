import { createHash } from 'node:crypto'
import { base58, sha256 } from '../../../solana/bytes.ts'
import { seededKeypair } from '../../../solana/keys.ts'
import { evmCoin, evmTokens, namedTokens, sol, type Token } from '../../tokens.ts'
import { uuidOf } from '../../uuid.ts'
import type { HistoryEntry, HistoryView, Transfer } from './entry.ts'
import { nftTransfer, tokenTransfer } from './transfers.ts'

/** A namespace's fixtures: entries lie 45 hours apart, so 230 of them cross the turn of the year whatever the date. */
type Kind = {
  entries: number
  operations: readonly string[]
  /** other party of every transfer */
  stranger: string
  tokens: readonly [Token, Token]
  hashOf(text: string): string
}

const apartMs = 45 * 3_600_000
const dayMs = 86_400_000
const outgoing = ['send', 'burn', 'withdraw', 'repay', 'deposit']
const without = ['execute', 'close', 'approve']
const usdc = namedTokens({ solana: undefined }).find(({ symbol }) => symbol === 'USDC') ?? sol

const solana: Kind = {
  entries: 230,
  operations: ['receive', 'send', 'mint', 'burn', 'execute', 'close'],
  stranger: seededKeypair('local services', 'stranger').address,
  tokens: [sol, usdc],
  hashOf: text => base58(Buffer.concat([sha256(text), sha256('second half', text)])),
}

const evm: Kind = {
  entries: 120,
  operations: [
    'receive',
    'send',
    'trade',
    'approve',
    'deposit',
    'withdraw',
    'claim',
    'borrow',
    'repay',
    'mint',
    'burn',
  ],
  stranger: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  tokens: [evmCoin('eip155:1'), evmTokens[0] ?? evmCoin('eip155:1')],
  hashOf: text => `0x${createHash('sha256').update(text).digest('hex')}`,
}

/** A Solana account's long history, newest first; its dates are relative to the clock's day. */
export const fixtureHistory = (view: HistoryView): HistoryEntry[] => entriesOf(solana, view)

/** The same of an EVM account. */
export const evmFixtureHistory = (view: HistoryView): HistoryEntry[] => entriesOf(evm, view)

function entriesOf(kind: Kind, view: HistoryView): HistoryEntry[] {
  return Array.from({ length: kind.entries }, (_, n) => entryAt(n, kind, view))
}

function entryAt(n: number, kind: Kind, view: HistoryView): HistoryEntry {
  const isNft = n === 1 || n === 3
  const operationType = isNft ? 'receive' : (kind.operations[n % kind.operations.length] ?? 'receive')
  const isOut = outgoing.includes(operationType)
  const today = Math.floor(view.nowMs / dayMs) * dayMs
  const text = `fixture history ${view.address} ${n}`
  return {
    id: uuidOf(text),
    metadata: {
      operationType,
      hash: kind.hashOf(text),
      minedAt: new Date(today - (n + 1) * apartMs).toISOString(),
      sentFrom: isOut ? view.address : kind.stranger,
      sentTo: isOut ? kind.stranger : view.address,
      status: n % 17 === 5 ? 'failed' : 'confirmed',
      nonce: kind === evm ? kind.entries - n : 0,
      application: null,
      chain: view.chain,
    },
    transfers: isNft
      ? [nftTransfer(n === 1 ? 'Claim your prize' : 'Harbour 7', n === 1, view)]
      : moved(n, operationType, kind, view),
  }
}

function moved(n: number, operationType: string, { tokens }: Kind, view: HistoryView): Transfer[] {
  if (without.includes(operationType)) return []
  const [first, second] = n % 2 === 0 ? tokens : ([tokens[1], tokens[0]] as const)
  const amount = ({ decimals }: Token) => BigInt(n + 1) * 10n ** BigInt(decimals - 2)
  if (operationType === 'trade')
    return [tokenTransfer(first, -amount(first), view), tokenTransfer(second, amount(second), view)]
  return [tokenTransfer(first, outgoing.includes(operationType) ? -amount(first) : amount(first), view)]
}

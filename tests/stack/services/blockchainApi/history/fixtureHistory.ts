import { base58, sha256 } from '../../../solana/bytes.ts'
import { seededKeypair } from '../../../solana/keys.ts'
import { namedTokens, sol, type Token } from '../../tokens.ts'
import { uuidOf } from '../../uuid.ts'
import type { HistoryEntry, HistoryView, Transfer } from './entry.ts'
import { nftTransfer, tokenTransfer } from './transfers.ts'

/** Two full pages of 100 and a part of a third. */
export const fixtureEntries = 230

/** 230 entries 45 hours apart reach back over a year, so they cross its boundary whatever the date. */
const apartMs = 45 * 3_600_000
const dayMs = 86_400_000

const stranger = seededKeypair('local services', 'stranger').address
const operations = ['receive', 'send', 'mint', 'burn', 'execute', 'close']

/** A fixture account's long history, newest first; its dates are relative to the clock's day. */
export function fixtureHistory(view: HistoryView): HistoryEntry[] {
  return Array.from({ length: fixtureEntries }, (_, n) => entryAt(n, view))
}

function entryAt(n: number, view: HistoryView): HistoryEntry {
  const isNft = n === 1 || n === 3
  const operationType = isNft ? 'receive' : (operations[n % operations.length] ?? 'receive')
  const isOut = operationType === 'send' || operationType === 'burn'
  const today = Math.floor(view.nowMs / dayMs) * dayMs
  return {
    id: uuidOf(`fixture history ${view.address} ${n}`),
    metadata: {
      operationType,
      hash: base58(Buffer.concat([sha256('fixture', view.address, String(n)), sha256('signature', String(n))])),
      minedAt: new Date(today - (n + 1) * apartMs).toISOString(),
      sentFrom: isOut ? view.address : stranger,
      sentTo: isOut ? stranger : view.address,
      status: n % 17 === 5 ? 'failed' : 'confirmed',
      nonce: 0,
      application: null,
      chain: view.chain,
    },
    transfers: isNft ? [nftTransfer(n === 1 ? 'Claim your prize' : 'Harbour 7', n === 1, view)] : moved(n, isOut, view),
  }
}

function moved(n: number, isOut: boolean, view: HistoryView): Transfer[] {
  const kind = operations[n % operations.length]
  if (kind === 'execute' || kind === 'close') return []
  const [usdc] = namedTokens({ solana: undefined }).filter(({ symbol }) => symbol === 'USDC')
  const token: Token = n % 2 === 0 ? sol : (usdc ?? sol)
  const amount = BigInt(n + 1) * 10n ** BigInt(token.decimals - 2)
  return [tokenTransfer(token, isOut ? -amount : amount, view)]
}

/** The activity list: transactions by month, each as the items that a person reads. */
import { own } from '../../../runtime/schema/own.ts'
import { floored } from '../holdings/decimal.ts'
import type { Language } from '../../texts/language.tsx'
import type { Transaction } from './history.ts'
import { monthOf, monthTitle } from './times.ts'

type Transfer = Transaction['transfers'][number]

/** One line of text: an amount with its symbol or name, a shortened address, or the status alone. */
type ActivityLine =
  | { kind: 'amount'; sign: '+' | '−' | ''; amount: string; of: string }
  | { kind: 'address'; address: string }
  | { kind: 'status' }

type ActivityPicture = { kind: 'token' | 'nft'; url: string; name: string }

type ActivityItem = {
  key: string
  operation: string
  status: Transaction['status']
  /** of the first transfer */
  direction?: Transfer['direction']
  /** two for a swap, the received one first */
  pictures: ActivityPicture[]
  lines: ActivityLine[]
  hash: string
  at: number
}

type ActivityMonth = { key: string; title: string; items: ActivityItem[] }

const signs: Readonly<Record<string, '+' | '−'>> = {
  receive: '+',
  deposit: '+',
  borrow: '+',
  claim: '+',
  send: '−',
  withdraw: '−',
  repay: '−',
  burn: '−',
}

/**
 * @param transactions newest first
 * @param place language and time zone of the titles, and the time that decides whether a title has its year
 */
export function activityOf(
  transactions: readonly Transaction[],
  place: { language: Language; timeZone?: string; now: number },
): ActivityMonth[] {
  const months = new Map<string, ActivityMonth>()
  for (const transaction of transactions) {
    const key = monthOf(transaction.minedAt, place)
    const month = months.get(key) ?? { key, title: monthTitle(transaction.minedAt, place), items: [] }
    month.items.push(...itemsOf(transaction))
    months.set(key, month)
  }
  return [...months.values()]
}

/**
 * @returns one item; two transfers of tokens are one item with two pictures, other transfers of one transaction are an item each
 */
export function itemsOf(transaction: Transaction): ActivityItem[] {
  const { transfers } = transaction
  const [first, second] = transfers
  const isPair = transfers.length === 2 && transfers.every(({ nft }) => !nft)
  if (transfers.length < 2) return [itemOf(transaction, transfers, 0)]
  if (isPair && first && second) {
    const pair = itemOf(transaction, transfers, 0)
    return [{ ...pair, pictures: [second, first].map(pictureOf), lines: [lineOf(first, ''), lineOf(second, '')] }]
  }
  return transfers.map((transfer, nth) => itemOf(transaction, [transfer], nth))
}

function itemOf(transaction: Transaction, [transfer]: readonly Transfer[], nth: number): ActivityItem {
  const { id, hash, operation, status, minedAt, sentFrom, sentTo } = transaction
  const isBetween = (operation === 'send' || operation === 'receive') && sentFrom !== '' && sentTo !== ''
  const addresses: ActivityLine[] = [sentFrom, sentTo].map(address => ({ kind: 'address', address }))
  const bare: ActivityLine[] = isBetween ? addresses : [{ kind: 'status' }]
  return {
    key: `${id} ${hash} ${nth}`,
    operation,
    status,
    ...(transfer && { direction: transfer.direction }),
    pictures: transfer ? [pictureOf(transfer)] : [],
    lines: transfer ? [lineOf(transfer, own(signs, operation) ?? '')] : bare,
    hash,
    at: minedAt,
  }
}

function lineOf({ quantity, token, nft }: Transfer, sign: '+' | '−' | ''): ActivityLine {
  return { kind: 'amount', sign, amount: floored(quantity, 3) ?? '', of: nft?.name || token?.symbol || '' }
}

function pictureOf({ token, nft }: Transfer): ActivityPicture {
  return nft
    ? { kind: 'nft', url: nft.imageUrl, name: nft.name }
    : { kind: 'token', url: token?.iconUrl ?? '', name: token?.symbol ?? '' }
}

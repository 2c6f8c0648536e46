/** Transactions of an account. @see reference "HTTP APIs", §3.3 */
import {
  absentable,
  array,
  boolean,
  custom,
  looseObject,
  nullable,
  string,
  type ValueOf,
  wordOf,
} from '../../../runtime/schema/schema.ts'
import { isoMs } from '../../../events/values/isoTime.ts'
import { webLink } from '../listing.ts'
import {
  amount,
  answerReader,
  bareAddress,
  chainId,
  decimal,
  keptEntries,
  labelText,
  plainText,
  rawList,
} from './fields.ts'

const maybe = absentable(nullable(string({ most: 4096 })))
const image = absentable(nullable(looseObject({ url: maybe })))

const transferShape = looseObject({
  fungible_info: absentable(
    nullable(looseObject({ name: maybe, symbol: maybe, icon: absentable(nullable(looseObject({ url: maybe }))) })),
  ),
  nft_info: absentable(
    nullable(
      looseObject({
        name: maybe,
        content: absentable(nullable(looseObject({ preview: image, detail: image }))),
        flags: looseObject({ is_spam: boolean() }),
      }),
    ),
  ),
  direction: wordOf(['in', 'out', 'self']),
  quantity: looseObject({ numeric: amount }),
  value: absentable(nullable(decimal)),
  price: absentable(nullable(decimal)),
})

const statuses: Readonly<Record<string, 'confirmed' | 'failed' | 'pending'>> = {
  confirmed: 'confirmed',
  failed: 'failed',
  pending: 'pending',
  ONRAMP_TRANSACTION_STATUS_SUCCESS: 'confirmed',
  ONRAMP_TRANSACTION_STATUS_FAILED: 'failed',
  ONRAMP_TRANSACTION_STATUS_IN_PROGRESS: 'pending',
}

const transactionShape = looseObject({
  id: string({ least: 1, most: 200, grammar: /^[\x21-\x7e]+$/ }),
  metadata: looseObject({
    operationType: string({ grammar: /^[a-zA-Z_]{1,32}$/ }),
    hash: string({ grammar: /^[-_a-zA-Z0-9]{1,128}$/ }),
    minedAt: custom<string>(
      value => typeof value === 'string' && (isoMs(value) ?? -1) >= 0,
      'an ISO 8601 time from 1970 on',
    ),
    sentFrom: absentable(nullable(bareAddress)),
    sentTo: absentable(nullable(bareAddress)),
    status: wordOf(Object.keys(statuses)),
    chain: absentable(nullable(chainId)),
  }),
  // One malformed transfer makes its transaction malformed: a row that tells half is worse than none
  transfers: nullable(array(transferShape, 0, 100)),
})

const cursor = absentable(nullable(string({ most: 2048, grammar: /^[\x21-\x7e]*$/ })))

/**
 * A page, newest first. Transactions of another chain than the asked one are left out; one whose chain is not named belongs to
 * it. `dropped` counts malformed ones; `next` is absent on the last page.
 */
export const readHistory = answerReader(
  looseObject({ data: rawList(200), next: cursor }),
  ({ data, next }, asked: { chainId?: string | undefined }) => {
    const { entries, dropped } = keptEntries(data, transactionShape, keepTransaction, idOf)
    const ofChain = entries.filter(({ chain }) => !asked.chainId || chain === null || chain === asked.chainId)
    return { data: ofChain, dropped, ...(next ? { next } : {}) }
  },
)

/** An id alone may name a whole block. */
function idOf({ id, hash, chain }: ReturnType<typeof keepTransaction>): string {
  return `${id} ${hash} ${chain}`
}

/** `minedAt` is ms since the Unix epoch; `isSpam` when every transfer is flagged and there is one. */
function keepTransaction({ id, metadata, transfers }: ValueOf<typeof transactionShape>) {
  const moved = transfers ?? []
  return {
    id,
    operation: metadata.operationType,
    hash: metadata.hash,
    minedAt: isoMs(metadata.minedAt) ?? 0,
    sentFrom: metadata.sentFrom ?? '',
    sentTo: metadata.sentTo ?? '',
    status: statuses[metadata.status] ?? 'pending',
    chain: metadata.chain ?? null,
    isSpam: moved.length > 0 && moved.every(({ nft_info: nft }) => nft?.flags.is_spam === true),
    transfers: moved.map(keepTransfer),
  }
}

/** `value` and `price` are in dollars, null when the service knows none. */
function keepTransfer(transfer: ValueOf<typeof transferShape>) {
  const { fungible_info: token, nft_info: nft, direction, quantity, value, price } = transfer
  const content = nft?.content
  return {
    direction,
    quantity: plainText(quantity.numeric),
    value: value === null || value === undefined ? null : plainText(value),
    price: price === null || price === undefined ? null : plainText(price),
    ...(token && {
      token: { name: labelText(token.name), symbol: labelText(token.symbol), iconUrl: webLink(token.icon?.url) ?? '' },
    }),
    ...(nft && {
      nft: {
        name: labelText(nft.name),
        imageUrl: webLink(content?.preview?.url) ?? webLink(content?.detail?.url) ?? '',
        isSpam: nft.flags.is_spam,
      },
    }),
  }
}

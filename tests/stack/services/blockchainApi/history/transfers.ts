import { tokenAmount } from '../../../solana/tokens.ts'
import { onWire, priceOf, valueOf } from '../../prices.ts'
import { iconUrl, type Token } from '../../tokens.ts'
import type { HistoryView, Transfer } from './entry.ts'

/** A transfer of a token; `change` is in base units, negative for one that goes out. */
export function tokenTransfer({ name, symbol, decimals }: Token, change: bigint, view: HistoryView): Transfer {
  const amount = change < 0n ? -change : change
  const price = priceOf(symbol, view.nowMs, view.currency)
  return {
    fungible_info: { name, symbol, icon: { url: iconUrl(view.url, symbol) } },
    nft_info: null,
    direction: change < 0n ? 'out' : 'in',
    quantity: { numeric: tokenAmount(amount, decimals).uiAmountString },
    value: onWire(valueOf(amount, decimals, price)),
    price: onWire(price),
  }
}

/** An NFT that arrives. */
export function nftTransfer(name: string, isSpam: boolean, view: HistoryView): Transfer {
  const url = new URL(`/getWalletImage/${encodeURIComponent(name)}`, view.url).href
  return {
    fungible_info: null,
    nft_info: {
      name,
      content: { preview: { url, content_type: 'image/png' }, detail: null },
      flags: { is_spam: isSpam },
    },
    direction: 'in',
    quantity: { numeric: '1' },
    value: null,
    price: null,
  }
}

/** Texts and formats of the sale in one language. */
import { basics, type BasicsTexts } from '../texts/basics/en.ts'
import { buyArea, type BuyTexts } from '../texts/buy/en.ts'
import { type Language, textsIn, useLanguage } from '../texts/language.tsx'
import { orderArea, type OrderTexts } from '../texts/order/en.ts'
import { relayArea, type RelayTexts } from '../texts/relay/en.ts'
import { saleArea, type SaleTexts } from '../texts/sale/en.ts'
import { type Figures, figuresIn } from './sale/figures.ts'

export type SaleWords = {
  basics: BasicsTexts
  sale: SaleTexts
  buy: BuyTexts
  order: OrderTexts
  relay: RelayTexts
  figures: Figures
}

const known = new Map<SaleTexts, SaleWords>()

/** @returns the language's texts and formats; the same object each time, so that what follows from it stays the same */
export function saleWordsIn(language: Language): SaleWords {
  const sale = textsIn(saleArea, language)
  const words = known.get(sale) ?? {
    basics: textsIn(basics, language),
    sale,
    buy: textsIn(buyArea, language),
    order: textsIn(orderArea, language),
    relay: textsIn(relayArea, language),
    figures: figuresIn(language, sale),
  }
  known.set(sale, words)
  return words
}

/** @returns texts and formats in the language that is shown here */
export function useSaleWords(): SaleWords {
  return saleWordsIn(useLanguage())
}

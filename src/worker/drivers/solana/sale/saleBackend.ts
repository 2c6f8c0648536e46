import type { EffectData } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { type BackendName, memberIn, type SaleOffer, type SaleQuotes } from '../../../../events/sale/backend.ts'
import { unknownBackend } from '../../../../events/sale/unknownBackend.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import type { PaymentParser } from '../../../services/purchases.ts'
import type { SaleChecks } from '../../../services/saleChecks.ts'
import type { Verify } from '../../../services/signatures.ts'
import type { BytesStore } from '../../bytes.ts'
import type { InputOf } from '../../drive.ts'
import type { Http } from '../../http.ts'
import type { Rpc } from '../rpc.ts'
import type { createAccountsReader } from './accountsReader.ts'

/**
 * How a sale is held on the chain, chosen by its terms. Its parts are loaded where they are used, so each has a table of members
 * there, with a line for each backend.
 *
 * 1. Pure, called by the page, the core or both: `capabilities`, `quote`, `quoteFor`, `checkSigned`. Pure, called by drivers: `parse`.
 * 2. With a node, called by drivers alone: `readTotals`, `readBuyer`, `buildPurchase`. Their answers are inputs of the core.
 * 3. None is asked for terms of an unknown backend: such terms are refused as they are read.
 *
 * @see reference "Presale", §15; docs/architecture.md, "Backends of a sale"
 */
export type SaleBackend = SaleOffer &
  SaleQuotes &
  SaleChecks &
  PaymentParser & {
    /** @returns chain time and what the sale holds of each asset, in one request for all reads of a step */
    readTotals(
      readAccounts: ReturnType<typeof createAccountsReader>,
      sale: EffectData['chain.readSale'],
    ): Promise<InputOf<'chain.sale'>>
    /** @returns reads an account's payments, and what the sale paid to it; remembers strangers' transactions */
    readBuyer(ports: BuyerPorts): (sale: EffectData['chain.readPurchases']) => Promise<InputOf<'chain.purchases'>>
    /** @returns the built and simulated transaction, its unsigned bytes stored. @throws Fault when it cannot be paid */
    buildPurchase(
      ports: { rpc: Rpc; bytes: BytesStore },
      ask: EffectData['chain.prepareOrder'],
    ): Promise<InputOf<'chain.orderPrepared'>>
  }

/** `termsUrl`: absolute; the plans of payouts are beside it. */
export type BuyerPorts = { rpc: Rpc; verify: Verify; http: Http; termsUrl: string }

/** The parts of every backend that are loaded together. */
export type SaleMembers<Part extends keyof SaleBackend> = Record<BackendName, Pick<SaleBackend, Part>>

/** @returns the member of the terms' backend. @throws Fault `terms_invalid` when this build has none of that name */
export function memberFor<M>(members: Readonly<Record<BackendName, M>>, terms: Pick<Terms, 'backend'>): M {
  const member = memberIn(members, terms)
  if (member) return member
  const { expected, got } = { ...unknownBackend(terms) }
  throw new Fault('terms_invalid', `a sale expected the backend ${expected}, got ${got}`)
}

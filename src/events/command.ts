/** Everything a page may request from the core. A command is an input; the facts it causes carry its `ref`. */
import { uncheckedProposal, walletRef } from './schema/fields.ts'
import { pageDetails, type PageEvent } from './subjects/service/analytics.ts'
import { askedFields } from './subjects/wallet/authFacts.ts'
import { ledgerActs } from './subjects/sale/ledger.ts'
import { warnings } from './subjects/order/orderFacts.ts'
import { serviceAsk } from './subjects/service/serviceShapes.ts'
import { shortHash } from '../runtime/log/shortHash.ts'
import {
  choice,
  define,
  flag,
  hexDigits,
  id,
  integer,
  isSo,
  jsonText,
  lifted,
  list,
  longText,
  measure,
  openField,
  optional,
  personal,
  text,
  type UnionOf,
  v1,
} from '../runtime/schema/registry.ts'
import { baseUnits, chainKey, chosenName, feeUnits, tokenUnits, typedAmount } from './schema/scales.ts'
import type { Schema } from '../runtime/schema/schema.ts'

/** A purchase as a person asks for it, on either way to pay. */
const wish = {
  orderKey: personal(hexDigits(16)),
  asset: openField(text),
  units: measure(baseUnits),
  quoted: measure(tokenUnits),
  min: measure(tokenUnits),
  termsHash: openField(chainKey),
  acknowledged: list(openField(choice(['terms', 'region', 'risk', 'age']))),
  referrer: optional(personal(text)),
} as const

export const commandDefinitions = define({
  /** Connect to a wallet announced in this page; `walletKey` is its key there. */
  'connection.connectInstalled': v1({ walletKey: openField(id), wallet: walletRef }),
  /**
   * Show a WalletConnect code; `wallet` is the chosen product, or WalletConnect itself. Without a proposal the core proposes
   * what this page needs. `share`: a code that can be answered is kept, whichever wallet it was made for.
   */
  'connection.connectWalletConnect': lifted(
    { wallet: walletRef, proposal: optional(uncheckedProposal), share: optional(openField(isSo)) },
    data => data,
  ),
  /**
   * Request a wallet's signature that proves who holds an account, on one of these `eip155` chains; with methods it may open a
   * session as well. `exp` and `nbf` are times in ISO 8601.
   */
  'auth.request': v1({
    ...askedFields,
    expirySeconds: optional(openField(integer)),
    /** the wallet's universal link, when it is on this device */
    walletLink: optional(personal(text)),
  }),
  /** Leave a sign-in under way; a later answer of the wallet is ignored. */
  'auth.abandon': v1({ authId: openField(id) }),
  /** Open a wallet whose link waits for a press. */
  'link.retry': v1({}),
  /** Open a wallet on this device with this code, by the wallet's own link. */
  'link.choose': v1({ pairingTopic: personal(id), link: personal(text) }),
  /** Leave the attempt under way. */
  'connection.abandon': v1({}),
  'connection.disconnect': v1({ connectionId: openField(id) }),
  /** Remove an ended connection from those that can be made again. */
  'connection.forget': v1({ connectionId: openField(id) }),
  /** Make this account, which the wallet shares, the connection's first: payments are made from it. */
  'connection.chooseAccount': v1({ connectionId: openField(id), account: personal(text) }),
  /** Try to reach the wallet of a connection that is missing. */
  'connection.retry': v1({ connectionId: openField(id) }),
  /**
   * Send a request to a session's wallet: `params` is JSON text. The answer is `request.refused`, or `request.sent` and then
   * `request.answered` or `request.failed`, about a request whose purpose is `page:<ref>`.
   */
  'request.send': v1({
    sessionTopic: personal(text),
    chainId: openField(chosenName),
    method: openField(chosenName),
    params: personal(jsonText),
    expirySeconds: optional(openField(integer)),
  }),
  /** Make this the page's active connection. */
  'connection.activate': v1({ connectionId: openField(id) }),
  /** Another library of this page left this installed wallet connected: offer it first, on a device without connections. */
  'connection.recall': v1({ wallet: walletRef }),
  /** Ping the wallet that scanned a code, while the code can be answered. */
  'pairing.ping': v1({ pairingTopic: personal(text) }),
  /** Ping a session's wallet. */
  'session.ping': v1({ sessionTopic: personal(text) }),
  /** Extend a session to seven days from now. */
  'session.extend': v1({ sessionTopic: personal(text) }),
  /** Emit an event to a session's wallet; `data` is JSON text. */
  'session.emit': v1({
    sessionTopic: personal(text),
    event: openField(chosenName),
    chainId: openField(chosenName),
    data: personal(longText),
  }),
  /** Set the chain (CAIP-2) of a session that requests without one go to; the wallet is not notified. */
  'session.setChain': v1({ sessionTopic: personal(text), chainId: openField(chosenName) }),
  /** End a session, or leave one of its namespaces; leaving the last one ends it. */
  'session.disconnect': v1({ sessionTopic: personal(text), namespace: optional(openField(chosenName)) }),
  /**
   * Read a page of the wallet directory; an empty search is the whole list. `certified`: only wallets with the service's badge.
   */
  'listing.read': v1({ page: openField(integer), search: personal(text), certified: optional(openField(isSo)) }),
  /** Call the Blockchain API; the answer is `service.answered`, `service.failed`, or an earlier one named by `service.reused`. */
  'service.ask': v1({ ask: serviceAsk }),
  /** The modal opens for the first time in this page: read the project's configuration. */
  'project.open': v1({}),
  /** Read the wallets that stand first: the host's featured ones and the service's first; and those that the host excludes. */
  'listing.open': v1({}),
  /**
   * Go to another network (CAIP-2), and to its log. The answer is `network.switched`, or `network.refused` and the reason; the
   * active one is left alone.
   */
  'network.switch': v1({ caip2: openField(chosenName) }),
  'balance.refresh': v1({}),
  'sale.refresh': v1({}),
  /** Read the sale's newest payments as a node lists them. */
  'sale.readFeed': v1({}),
  /** Recompute the sale's books from the chain, or steer that. */
  'ledger.verify': v1({ act: openField(choice(ledgerActs)) }),
  /** Confirm changed terms, named by their hash: the person has seen the changes, and the device pins these terms. */
  'sale.confirmChange': v1({ termsHash: openField(chainKey) }),
  /**
   * Buy: pay `units` of `asset` for `quoted` tokens, `min` at least. `acknowledged` lists the ticked statements. `orderKey`
   * names the order in its memo on the chain: 16 random hex digits, the same for every rebuild. `shownFee`: the network fee on
   * the page, lamports; a dearer order waits for another press.
   */
  'order.place': lifted(
    {
      ...wish,
      shownFee: optional(measure(feeUnits)),
    },
    // Older cores drew the key; any key serves, as long as every reading derives the same
    data => ({ orderKey: keyOf(JSON.stringify(data)), ...data }),
  ),
  /** Open a code for the same: any wallet pays it, without a connection. */
  'invoice.open': v1(wish),
  'invoice.close': v1({ invoiceId: openField(id) }),
  /** Look for its payment once more, also after the time in which it is looked for. */
  'invoice.look': v1({ invoiceId: openField(id) }),
  /** Read the tokens of the active account, before a person sends some; `mint`: with this one, however many it holds. */
  'send.open': v1({ mint: optional(openField(chainKey)) }),
  /**
   * Prepare a transfer of `amount`, decimal text as typed, of SOL or of a mint. It waits for `order.continue`, which opens the
   * wallet's prompt. `confirmed`: oddities of the recipient that the person has read. `despiteEarlier`: an earlier transfer may
   * still be sent by its wallet, and the person knows it.
   */
  'send.request': v1({
    orderKey: personal(hexDigits(16)),
    asset: openField(text),
    amount: measure(typedAmount),
    recipient: personal(text),
    confirmed: list(openField(choice(warnings))),
    despiteEarlier: optional(openField(isSo)),
  }),
  /** Open the wallet's prompt with a new press, when the first one grew too old. */
  'order.continue': v1({ orderId: openField(id) }),
  /** Abandon the order before anything was signed. */
  'order.abandon': v1({ orderId: openField(id) }),
  'order.dismiss': v1({ orderId: openField(id) }),
  /** The visitor's word on analytics, as the host heard it. */
  'analytics.consent': v1({ given: openField(flag) }),
  /** Something a visitor did in the modal. */
  'analytics.track': v1({ event: openField(id as Schema<PageEvent>), ...pageDetails() }),
  /** An error of this page. */
  'analytics.report': v1({ errorMessage: openField(text) }),
})

function keyOf(text: string): string {
  return shortHash(text) + shortHash(`${text} again`)
}

export type Command = UnionOf<typeof commandDefinitions>

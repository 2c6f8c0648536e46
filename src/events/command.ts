/** Everything the page may ask the core for. A command is an input; its `ref` follows it into the facts it causes. */
import { uncheckedProposal, walletRef } from './schema/fields.ts'
import { askedFields } from './subjects/auth.ts'
import { shortHash } from './log/shortHash.ts'
import {
  baseUnits,
  chainKey,
  choice,
  chosenName,
  define,
  hexDigits,
  id,
  integer,
  isSo,
  jsonText,
  lifted,
  list,
  longText,
  measure,
  open,
  optional,
  personal,
  text,
  tokenUnits,
  type UnionOf,
  v1,
} from './schema/registry.ts'

export const commandDefinitions = define({
  /** Connect to a wallet announced in this page; `walletKey` is its key there. */
  'connection.connectInstalled': v1({ walletKey: open(id), wallet: walletRef }),
  /**
   * Show a WalletConnect code; `wallet` is the chosen product, or WalletConnect itself. Without a proposal the wallet is
   * asked for what this page needs.
   */
  'connection.connectWalletConnect': lifted({ wallet: walletRef, proposal: optional(uncheckedProposal) }, data => data),
  /**
   * Have a wallet sign who holds an account, on one of these `eip155` chains, and let it open a session when methods are
   * asked for. `exp` and `nbf` are times in ISO 8601.
   */
  'auth.request': v1({
    ...askedFields,
    expirySeconds: optional(open(integer)),
    /** the wallet's universal link, when it is on this device */
    walletLink: optional(personal(text)),
  }),
  /** Leave a sign-in under way; what the wallet answers later is not heard. */
  'auth.abandon': v1({ authId: open(id) }),
  /** The person presses to open a wallet whose link waits for a press. */
  'link.retry': v1({}),
  /** The person opens a wallet on this device with this code, by the wallet's own link. */
  'link.choose': v1({ pairingTopic: personal(id), link: personal(text) }),
  /** Leave the attempt under way. */
  'connection.abandon': v1({}),
  'connection.disconnect': v1({ connectionId: open(id) }),
  /** Try to reach the wallet of a connection that is missing. */
  'connection.retry': v1({ connectionId: open(id) }),
  /**
   * Ask a session's wallet for anything: `params` is JSON text. It is answered by `request.refused`, or by `request.sent` and
   * then one of `request.answered` and `request.failed`, all about a request whose purpose is `page:<ref>`.
   */
  'request.send': v1({
    sessionTopic: personal(text),
    chainId: open(chosenName),
    method: open(chosenName),
    params: personal(jsonText),
    expirySeconds: optional(open(integer)),
  }),
  /** From now on the page speaks for this connection. */
  'connection.activate': v1({ connectionId: open(id) }),
  /** Ask the wallet that scanned a code for a sign of life, while the code can be answered. */
  'pairing.ping': v1({ pairingTopic: personal(text) }),
  /** Ask a session's wallet for a sign of life. */
  'session.ping': v1({ sessionTopic: personal(text) }),
  /** Let a session live seven days from now. */
  'session.extend': v1({ sessionTopic: personal(text) }),
  /** Tell a session's wallet that something happened here; `data` is JSON text. */
  'session.emit': v1({
    sessionTopic: personal(text),
    event: open(chosenName),
    chainId: open(chosenName),
    data: personal(longText),
  }),
  /** A host means this chain (CAIP-2) of a session when it names none; the wallet is not told. */
  'session.setChain': v1({ sessionTopic: personal(text), chainId: open(chosenName) }),
  /** End a session, or leave one of its namespaces; leaving the last one ends it. */
  'session.disconnect': v1({ sessionTopic: personal(text), namespace: optional(open(chosenName)) }),
  /** Read a page of the wallet directory; an empty search is the whole list. */
  /** `certified`: only wallets that carry the service's badge. */
  'listing.read': v1({ page: open(integer), search: personal(text), certified: optional(open(isSo)) }),
  'balance.refresh': v1({}),
  'sale.refresh': v1({}),
  /** The person has seen what changed in the sale and takes these terms, by their hash, for the sale's from now on. */
  'sale.confirmChange': v1({ termsHash: open(chainKey) }),
  /**
   * Buy: pay `units` of `asset` for `quoted` tokens, `min` at least. `acknowledged` lists the ticked statements. `orderKey`
   * names the order in its memo on the chain: 16 hex digits, by chance, kept for every rebuild.
   */
  'order.place': lifted(
    {
      orderKey: personal(hexDigits(16)),
      asset: open(text),
      units: measure(baseUnits),
      quoted: measure(tokenUnits),
      min: measure(tokenUnits),
      termsHash: open(chainKey),
      acknowledged: list(open(choice(['terms', 'region', 'risk', 'age']))),
      referrer: optional(personal(text)),
    },
    // The core made the key; any other one is as good, as long as it is the same one each time this is read
    data => ({ orderKey: keyOf(JSON.stringify(data)), ...data }),
  ),
  /** The press that opens the wallet's prompt when the first one grew too old. */
  'order.continue': v1({ orderId: open(id) }),
  /** Give up before anything was signed. */
  'order.abandon': v1({ orderId: open(id) }),
  'order.dismiss': v1({ orderId: open(id) }),
})

function keyOf(text: string): string {
  return shortHash(text) + shortHash(`${text} again`)
}

export type Command = UnionOf<typeof commandDefinitions>

/**
 * Ways to connect and codes of failures, each with the recording that shows it. `docs/recordings.md` has them as tables. A new
 * connector, link, browser of a wallet or code lacks its row here until it has a recording.
 */
import type { failureCodes } from '../../../src/events/failureCodes.ts'
import type { Connector } from '../../../src/events/subjects/wallet/connection.ts'
import type { OwnBrowser } from '../../../src/events/values/ownBrowsers.ts'
import type { WayTo } from '../../../src/events/values/platforms.ts'
import { told, type Story } from './story.ts'

const made = 'connection.made'

const byConnector: Record<Connector, Story> = {
  installed: told('an installed wallet', 'connect-installed-buy-sol', 'connection.requested', made),
  walletConnect: told('WalletConnect’s code', 'walletconnect-buy-sol', 'pairing.responded', made),
}

/** `unsupported` leads to no wallet. */
const byListedWay: Record<Exclude<WayTo, 'unsupported'>, Story> = {
  qrcode: byConnector.walletConnect,
  mobile: told(
    'a wallet app’s native link',
    'connect-by-link',
    'link.chosen',
    made,
    'order.asked',
    'link.opened',
    'order.finalised',
  ),
  web: told('a web wallet’s link', 'connect-by-web-link', 'link.chosen', made),
  desktop: told('a host’s custom wallet, by its desktop link', 'connect-custom-wallet', 'link.chosen', made),
}

const leaves = (wallet: string, recording: string) =>
  told(`to ${wallet}’s own browser on a phone`, recording, 'pairing.proposed', 'connection.abandoned')
const arrives = (where: string, recording: string, ...more: string[]) =>
  told(`in ${where}`, recording, 'connection.abandoned', made, ...more)

/** Outside, the wallet's link opens the page in the wallet's browser; inside, the wallet connects. */
const byOwnBrowser: Record<OwnBrowser, readonly [outside: Story, inside: Story]> = {
  phantom: [
    leaves('Phantom', 'phone-to-phantom'),
    arrives('Phantom’s browser, with a purchase', 'in-phantoms-browser', 'order.asked', 'order.finalised'),
  ],
  solflare: [leaves('Solflare', 'phone-to-solflare'), arrives('Solflare’s browser', 'in-solflares-browser')],
  coinbase: [
    leaves('Coinbase', 'phone-to-coinbase'),
    arrives('Coinbase’s browser, by its Solana provider', 'in-coinbases-browser'),
  ],
  binance: [leaves('Binance', 'phone-to-binance'), arrives('Binance’s browser', 'in-binances-browser')],
}

const others: readonly Story[] = [
  told('a wallet app’s universal link', 'connect-by-universal-link', 'link.chosen', made),
  told('an app from Telegram', 'connect-in-telegram', 'link.chosen', made),
  told(
    'a wallet app of an Android device (Mobile Wallet Adapter)',
    'connect-wallet-app',
    'connection.abandoned',
    made,
    'order.asked',
    'order.finalised',
  ),
  told(
    'a host’s connector, another of its accounts, and a wallet that is forgotten',
    'account-chosen-wallet-forgotten',
    made,
    'connection.accountChosen',
    made,
    'connection.ended person',
    'connection.forgotten',
    'connection.restored',
  ),
  told('WalletConnect alone (`basic`)', 'modal-basic', 'pairing.responded', made),
  told('sign-in with a session', 'sign-in', 'auth.answered', 'session.settled relay', 'auth.done'),
  told('sign-in by links alone', 'messages-by-links', 'auth.answered', 'session.settled link', 'auth.done'),
  told('a silent restore', 'reconnect-and-disconnect', 'connection.restoring', 'connection.restored'),
]

export const ways: readonly Story[] = [
  ...new Set([
    ...Object.values(byConnector),
    ...Object.values(byListedWay),
    ...Object.values(byOwnBrowser).flat(),
    ...others,
  ]),
]

type Code = (typeof failureCodes)[number]
/** A recording and the fact in it that names the code; or why no build of today writes the code. */
export type Shown = { recording: string; fact: string } | { unwritten: string }
const shown = (recording: string, fact: string): Shown => ({ recording, fact })

/** First those that a connection meets, then those of payments, the sale and the page. */
export const failures: Record<Code, Shown> = {
  user_rejected: shown('declined', 'connection.failed'),
  wallet_gone: shown('installed-wallet-fails', 'connection.failed'),
  wallet_locked: shown('installed-wallet-fails', 'connection.failed'),
  busy: shown('installed-wallet-fails', 'connection.failed'),
  unknown: shown('installed-wallet-fails', 'connection.failed'),
  bad_response: shown('walletconnect-ended-by-wallet', 'connection.failed'),
  unsupported: shown('wallet-app-fails', 'connection.failed'),
  expired: shown('walletconnect-second-code', 'connection.failed'),
  bad_input: shown('scripted/connect-bad-input', 'connection.failed'),
  storage_down: shown('scripted/connect-storage-down', 'connection.failed'),
  reload_needed: shown('walletconnect-client-gone', 'connection.missing'),
  unauthorized: shown('twins-announced', 'connection.missing'),
  account_changed: shown('scripted/connect-account-changed', 'connection.missing'),
  elsewhere: shown('connect-beside-another-build', 'tab.elsewhere'),
  offline: shown('code-asked-offline', 'network.offline'),
  unreachable: shown('relay-unreachable-then-offline', 'relay.lost'),
  rate_limited: shown('relay-busy-then-moving', 'relay.lost'),
  timeout: shown('scripted/relay-timeout', 'relay.lost'),
  wrong_cluster: shown('another-chain-and-back', 'sale.distrusted'),

  wallet_changed_tx: shown('wallet-altered-the-payment', 'order.gateRefused'),
  insufficient_sol: shown('payment-cannot-work', 'order.simulationFailed'),
  insufficient_token: shown('scripted/payment-insufficient-token', 'order.simulationFailed'),
  rent: shown('transfers-refused', 'order.simulationFailed'),
  account_not_found: shown('transfers-refused', 'order.simulationFailed'),
  no_token_account: shown('scripted/payment-no-token-account', 'order.simulationFailed'),
  compute: shown('scripted/payment-compute', 'order.simulationFailed'),
  decimals: shown('scripted/payment-decimals', 'order.simulationFailed'),
  blockhash_not_found: shown('scripted/payment-blockhash-not-found', 'order.simulationFailed'),
  simulation_failed: shown('scripted/payment-simulation-failed', 'order.simulationFailed'),
  treasury_mismatch: shown('scripted/payment-treasury-mismatch', 'order.simulationFailed'),
  on_chain_error: shown('payment-failed-on-chain', 'order.failedOnChain'),
  dropped: { unwritten: 'a payment that a fork dropped is sent again' },
  stale_quote: shown('price-moved-then-sold-out', 'order.gateRefused'),
  sold_out: shown('price-moved-then-sold-out', 'order.gateRefused'),
  paused: shown('paused-while-wallet-asks', 'order.gateRefused'),
  ended: shown('ended-while-wallet-asks', 'order.gateRefused'),
  not_started: shown('scripted/payment-not-started', 'order.gateRefused'),
  terms_invalid: shown('terms-distrusted-and-back', 'sale.distrusted'),
  terms_changed: shown('terms-distrusted-and-back', 'sale.distrusted'),
  rpc_lying: shown('scripted/ledger-rpc-lying', 'ledger.failed'),
  core_lost: shown('network-away', 'service.failed'),
}

/**
 * Stories that the committed recordings must contain, by name. Each recording holds the named facts in this order, so a
 * new recording that lost its story is found. A fact's type may be followed by its code, cause or way.
 */
export type Story = { story: string; recording: string; facts: string[] }

const told = (story: string, recording: string, ...facts: string[]): Story => ({ story, recording, facts })

export const corpus: readonly Story[] = [
  told('connect: installed wallet', 'connect-installed-buy-sol', 'connection.requested', 'connection.made'),
  told('connect: WalletConnect by code', 'walletconnect-buy-sol', 'pairing.responded', 'connection.made'),
  told(
    'connect: by a wallet’s link',
    'connect-by-link',
    'link.chosen',
    'connection.made',
    'order.asked',
    'link.opened',
    'order.finalised',
  ),
  told('connect: silent restore', 'reconnect-and-disconnect', 'connection.restoring', 'connection.restored'),
  told(
    'connect: a code renewed in time',
    'walletconnect-code-renewed',
    'pairing.created',
    'pairing.created',
    'connection.made',
  ),
  told('connect: several wallets', 'several-wallets', 'connection.made', 'connection.made', 'connection.ended person'),
  told(
    'connect: already connected',
    'several-wallets',
    'connection.made',
    'connection.made',
    'connection.made',
    'connection.ended person',
    'connection.ended person',
  ),
  told(
    'connect: the wallet switches its account, then locks',
    'installed-wallet-fails',
    'connection.accountsChanged',
    'connection.ended wallet',
  ),
  told(
    'connect fails: declined by an installed wallet',
    'wallet-altered-the-payment',
    'connection.requested',
    'connection.failed user_rejected',
  ),
  told(
    'connect fails: declined by WalletConnect',
    'declined',
    'connection.requested',
    'connection.failed user_rejected',
  ),
  told(
    'connect fails: a silent wallet is left',
    'wallet-altered-the-payment',
    'connection.failed',
    'connection.abandoned',
    'connection.made',
  ),
  told('connect fails: an installed wallet is locked', 'installed-wallet-fails', 'connection.failed wallet_locked'),
  told('connect fails: an installed wallet throws', 'installed-wallet-fails', 'connection.failed unknown'),
  told('connect fails: no account is shared', 'installed-wallet-fails', 'connection.failed bad_response'),
  told('connect fails: no answer in four minutes', 'installed-wallet-fails', 'connection.failed wallet_gone'),
  told(
    'connect fails: the silent restore expires',
    'installed-wallet-fails',
    'core.started',
    'connection.restoring',
    'connection.missing wallet_gone',
    'connection.made',
  ),
  told(
    'connect fails: a twin stands beside the wallet',
    'twins-announced',
    'connection.restoring',
    'connection.missing unauthorized',
  ),
  told(
    'connect fails: the code expired',
    'walletconnect-second-code',
    'pairing.expired',
    'connection.failed expired',
    'connection.made',
  ),
  told('connect fails: a code used up', 'walletconnect-second-code', 'connection.abandoned', 'pairing.responded'),
  told(
    'connect fails: the wallet approves nothing to pay with',
    'walletconnect-ended-by-wallet',
    'pairing.answered',
    'connection.failed bad_response',
  ),
  told('connect fails: hostile wallets stand in the list', 'hostile-wallets-announced', 'connection.made'),
  told(
    'connect fails: the wallet ends its session',
    'walletconnect-ended-by-wallet',
    'connection.made',
    'session.deleted wallet',
    'connection.ended wallet',
  ),
  told(
    'connect fails: the relay is unreachable',
    'relay-unreachable-then-offline',
    'relay.lost unreachable',
    'network.offline',
    'network.online',
  ),
  told('connect fails: the relay refuses', 'relay-refuses-401', 'relay.refused unauthorized'),
  told(
    'connect fails: the client that reaches the wallet is gone',
    'walletconnect-client-gone',
    'connection.missing reload_needed',
    'connection.restored',
    'order.finalised',
  ),
  told('sign-in: declined', 'sign-in', 'auth.delivered', 'auth.failed user_rejected'),
  told('sign-in: another statement signed', 'sign-in', 'auth.delivered', 'auth.failed bad_response'),
  told('sign-in: signed, with a session', 'sign-in', 'auth.answered', 'session.settled relay', 'auth.done'),
  told('sign-in: connected instead', 'sign-in', 'auth.done', 'pairing.responded', 'session.settled', 'auth.done'),
  told('sign-in: left', 'sign-in', 'auth.done', 'auth.done', 'auth.failed user_rejected'),
  told('sign-in: run out', 'sign-in', 'auth.done', 'auth.failed expired'),
  told('links: a sign-in by links alone', 'messages-by-links', 'auth.answered', 'session.settled link', 'auth.done'),
  told(
    'links: a request by links alone',
    'messages-by-links',
    'session.settled link',
    'request.sent',
    'request.delivered',
    'request.answered',
  ),
  told('links: one that cannot be read', 'messages-by-links', 'link.refused'),
  told('purchase: final with SOL', 'connect-installed-buy-sol', 'order.asked', 'order.signed', 'order.finalised'),
  told('purchase: final with USDC', 'connect-installed-buy-usdc', 'order.asked', 'order.signed', 'order.finalised'),
  told('purchase: final through a sending wallet', 'send-only-wallet-buy-sol', 'order.asked', 'order.finalised'),
  told(
    'purchase: declined in an installed wallet',
    'wallet-altered-the-payment',
    'order.asked',
    'order.rejected user_rejected',
  ),
  told('purchase: declined over WalletConnect', 'declined', 'order.asked', 'order.rejected user_rejected'),
  told('purchase: the wallet throws', 'wallet-altered-the-payment', 'order.asked', 'order.rejected unknown'),
  told('purchase: expired, then paid', 'payment-expired-then-paid', 'order.expired', 'order.finalised'),
  told('purchase: failed on chain', 'payment-failed-on-chain', 'order.sending', 'order.failedOnChain on_chain_error'),
  told('purchase: cannot work', 'payment-cannot-work', 'order.simulationFailed insufficient_sol'),
  told(
    'purchase: left before asking',
    'payment-left-before-asking',
    'order.pressAwaited',
    'order.abandoned user_rejected',
  ),
  told(
    'purchase: altered by the wallet',
    'wallet-altered-the-payment',
    'order.asked',
    'order.gateRefused wallet_changed_tx',
  ),
  told(
    'purchase: signed with another account',
    'wallet-altered-the-payment',
    'order.asked',
    'order.gateRefused account_changed',
  ),
  told(
    'purchase: altered over WalletConnect',
    'walletconnect-altered-relay-garbled',
    'order.asked',
    'order.gateRefused wallet_changed_tx',
  ),
  told(
    'purchase: another payment than agreed is sent',
    'wallet-sent-another-payment',
    'order.asked',
    'order.mismatched wallet_changed_tx',
  ),
  told('purchase: landed late', 'payment-landed-late', 'order.sending', 'order.finalised'),
  told('purchase: landed after the end', 'payment-landed-after-the-end', 'order.sending', 'order.finalised'),
  told(
    'purchase: the sale ends while the wallet asks',
    'ended-while-wallet-asks',
    'order.asked',
    'order.gateRefused ended',
  ),
  told(
    'purchase: paused while the wallet asks',
    'paused-while-wallet-asks',
    'order.asked',
    'order.gateRefused paused',
    'order.finalised',
  ),
  told(
    'purchase: the price moves while the wallet asks',
    'price-moved-then-sold-out',
    'order.asked',
    'order.gateRefused stale_quote',
    'order.asked',
  ),
  told(
    'purchase: sold out while the wallet asks',
    'price-moved-then-sold-out',
    'order.gateRefused stale_quote',
    'order.asked',
    'order.gateRefused sold_out',
  ),
  told('purchase: signature late, in time', 'signature-late-in-time', 'order.asked', 'order.finalised'),
  told('purchase: signature too late', 'signature-too-late', 'order.asked', 'order.expired', 'order.finalised'),
  told('purchase: signed after its time', 'wallet-signs-after-its-time', 'order.unknown wallet_gone', 'order.expired'),
  told(
    'purchase: declined after its time',
    'wallet-declines-after-its-time',
    'order.unknown wallet_gone',
    'order.expired',
  ),
  told(
    'purchase: signing wallet lost',
    'reloaded-while-prompt-open',
    'order.asked',
    'order.unknown wallet_gone',
    'order.expired',
  ),
  told(
    'purchase: sending wallet lost',
    'sending-wallet-lost',
    'order.asked',
    'order.unknown wallet_gone',
    'order.expired',
  ),
  told('purchase: unknown, then found', 'signature-late-in-time', 'order.unknown', 'order.finalised'),
  told(
    'purchase: sent, its answer lost, found',
    'sent-then-reloaded',
    'order.sending',
    'core.started',
    'order.finalised',
  ),
  told(
    'purchase: the client that hears the wallet is gone',
    'client-gone-while-wallet-asks',
    'order.asked',
    'connection.missing reload_needed',
    'order.finalised',
  ),
  told('sale: terms distrusted', 'terms-distrusted-and-back', 'sale.distrusted terms_invalid'),
  told('sale: another chain', 'another-chain-and-back', 'network.identified', 'sale.distrusted wrong_cluster'),
  told('network: a web page instead of answers', 'network-html', 'sale.unreachable bad_response', 'sale.read'),
  told('network: refused by status', 'network-status', 'sale.unreachable rate_limited', 'sale.read'),
  told('network: no answers', 'network-drop', 'sale.unreachable unreachable', 'sale.read'),
  told('network: offline', 'offline-and-back', 'network.offline', 'network.online'),
  told(
    'network: offline while paying',
    'offline-while-paying',
    'order.asked',
    'network.offline',
    'network.online',
    'order.finalised',
  ),
  told('device: storage denied', 'storage-denied', 'connection.made'),
  told(
    'device: disk full while the wallet asks',
    'disk-full-while-wallet-asks',
    'order.asked',
    'order.rejected storage_down',
  ),
  told('device: clock set', 'clock-set-during-a-session', 'connection.made', 'order.finalised'),
  told('device: tab frozen', 'tab-frozen-while-wallet-asks', 'order.asked', 'order.finalised'),
  told('tabs: two', 'bought-in-a-second-tab', 'order.finalised'),
  told('tabs: eight', 'eight-tabs', 'order.finalised'),
  told('tabs: takeover', 'leading-tab-closed-while-prompt-open', 'order.asked', 'order.finalised'),
  told(
    'worker dies: while the wallet asks',
    'worker-killed-while-prompt-open',
    'order.asked',
    'core.started',
    'order.finalised',
  ),
  told(
    'worker dies: before asking',
    'worker-killed-before-asking',
    'core.started',
    'order.pressAwaited',
    'order.asked',
  ),
  told(
    'worker dies: around sending',
    'worker-killed-around-sending',
    'order.signed',
    'core.started',
    'order.finalised',
  ),
  told('worker dies: WalletConnect', 'walletconnect-worker-killed', 'order.asked', 'core.started', 'order.finalised'),
  told(
    'worker freezes: while the wallet asks',
    'worker-frozen-while-prompt-open',
    'order.asked',
    'core.started',
    'order.finalised',
  ),
  told('worker freezes: an answer set aside', 'answer-set-aside', 'core.started', 'connection.made'),
  told('verify service: attested', 'walletconnect-witnessed', 'order.finalised'),
  told('verify service: silent', 'walletconnect-verify-silent', 'order.finalised'),
]

/** @returns one sentence for each story that no recording contains; `texts` holds recordings by name */
export function missingStories(stories: readonly Story[], texts: ReadonlyMap<string, string>): string[] {
  return stories.flatMap(({ story, recording, facts }) => {
    const text = texts.get(recording)
    if (text === undefined) return [`${story}: expected the recording ${recording}, there is none`]
    let at = 0
    for (const line of text.split('\n')) if (at < facts.length && tells(line, facts[at] ?? '')) at += 1
    return at === facts.length
      ? []
      : [`${story}: ${recording} expected the fact ${facts[at]}, it is not there in order`]
  })
}

/** @param wanted a fact's type, then optionally a blank and its code, cause or way */
function tells(line: string, wanted: string): boolean {
  const [type, word] = wanted.split(' ')
  if (!line.startsWith('{"k":"f"') || !line.includes(`"type":"${type}"`)) return false
  return word === undefined || new RegExp(`"(?:code|by|transport)":"${word}"`).test(line)
}

/**
 * Stories that the committed recordings have to tell, by name. Each recording holds the named facts in this order, so a
 * recording made anew that lost its story is found.
 */
export type Story = { story: string; recording: string; facts: string[] }

const told = (story: string, recording: string, ...facts: string[]): Story => ({ story, recording, facts })

export const corpus: readonly Story[] = [
  told('connect: installed wallet', 'connect-installed-buy-sol', 'connection.requested', 'connection.made'),
  told('connect: WalletConnect by code', 'walletconnect-buy-sol', 'pairing.responded', 'connection.made'),
  told('connect: silent restore', 'reconnect-and-disconnect', 'connection.restoring', 'connection.restored'),
  told(
    'connect: a code renewed in time',
    'walletconnect-code-renewed',
    'pairing.created',
    'pairing.created',
    'connection.made',
  ),
  told('connect: several wallets', 'several-wallets', 'connection.made', 'connection.made', 'connection.ended'),
  told(
    'connect fails: declined by an installed wallet',
    'wallet-altered-the-payment',
    'connection.requested',
    'connection.failed',
  ),
  told('connect fails: declined by WalletConnect', 'declined', 'connection.requested', 'connection.failed'),
  told(
    'connect fails: a silent wallet is left',
    'wallet-altered-the-payment',
    'connection.failed',
    'connection.abandoned',
    'connection.made',
  ),
  told('connect fails: the code expired', 'declined', 'pairing.expired'),
  told('connect fails: a code used up', 'walletconnect-second-code', 'connection.abandoned', 'pairing.responded'),
  told('connect fails: the wallet throws or lies', 'hostile-wallets-announced', 'connection.made'),
  told(
    'connect fails: the wallet ends its session',
    'walletconnect-ended-by-wallet',
    'connection.made',
    'session.deleted',
  ),
  told(
    'connect fails: the relay is unreachable',
    'relay-unreachable-then-offline',
    'relay.lost',
    'network.offline',
    'network.online',
  ),
  told('connect fails: the relay refuses', 'relay-refuses-401', 'relay.refused'),
  told('purchase: final with SOL', 'connect-installed-buy-sol', 'order.asked', 'order.signed', 'order.finalised'),
  told('purchase: final with USDC', 'connect-installed-buy-usdc', 'order.asked', 'order.signed', 'order.finalised'),
  told('purchase: final through a sending wallet', 'send-only-wallet-buy-sol', 'order.asked', 'order.finalised'),
  told('purchase: declined in an installed wallet', 'wallet-altered-the-payment', 'order.asked', 'order.rejected'),
  told('purchase: declined over WalletConnect', 'declined', 'order.asked', 'order.rejected'),
  told('purchase: expired, then paid', 'payment-expired-then-paid', 'order.expired', 'order.finalised'),
  told('purchase: failed on chain', 'payment-failed-on-chain', 'order.sending', 'order.failedOnChain'),
  told('purchase: cannot work', 'payment-cannot-work', 'order.simulationFailed'),
  told('purchase: left before asking', 'payment-left-before-asking', 'order.pressAwaited', 'order.abandoned'),
  told('purchase: altered by the wallet', 'wallet-altered-the-payment', 'order.asked', 'order.gateRefused'),
  told(
    'purchase: altered over WalletConnect',
    'walletconnect-altered-relay-garbled',
    'order.asked',
    'order.gateRefused',
  ),
  told('purchase: landed late', 'payment-landed-late', 'order.sending', 'order.finalised'),
  told(
    'purchase: paused while the wallet asks',
    'paused-while-wallet-asks',
    'order.asked',
    'order.gateRefused',
    'order.finalised',
  ),
  told('purchase: signature late, in time', 'signature-late-in-time', 'order.asked', 'order.finalised'),
  told('purchase: signature too late', 'signature-too-late', 'order.asked', 'order.expired', 'order.finalised'),
  told('purchase: signed after its time', 'wallet-signs-after-its-time', 'order.unknown', 'order.expired'),
  told('purchase: declined after its time', 'wallet-declines-after-its-time', 'order.unknown', 'order.expired'),
  told('purchase: signing wallet lost', 'reloaded-while-prompt-open', 'order.asked', 'order.unknown', 'order.expired'),
  told('purchase: sending wallet lost', 'sending-wallet-lost', 'order.asked', 'order.unknown', 'order.expired'),
  told('purchase: unknown, then found', 'signature-late-in-time', 'order.unknown', 'order.finalised'),
  told(
    'purchase: sent, its answer lost, found',
    'sent-then-reloaded',
    'order.sending',
    'core.started',
    'order.finalised',
  ),
  told('sale: terms distrusted', 'terms-distrusted-and-back'),
  told('sale: another chain', 'another-chain-and-back', 'network.identified'),
  told('network: a web page instead of answers', 'network-html'),
  told('network: refused by status', 'network-status'),
  told('network: no answers', 'network-drop'),
  told('network: offline', 'offline-and-back', 'network.offline', 'network.online'),
  told(
    'network: offline while paying',
    'offline-while-paying',
    'order.asked',
    'network.offline',
    'network.online',
    'order.finalised',
  ),
  told('device: storage denied', 'storage-denied'),
  told('device: disk full while the wallet asks', 'disk-full-while-wallet-asks', 'order.asked'),
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

/** @returns one sentence for each story that no recording tells; `texts` holds recordings by name */
export function missingStories(stories: readonly Story[], texts: ReadonlyMap<string, string>): string[] {
  return stories.flatMap(({ story, recording, facts }) => {
    const text = texts.get(recording)
    if (text === undefined) return [`${story}: expected the recording ${recording}, there is none`]
    let at = 0
    for (const line of text.split('\n'))
      if (line.startsWith('{"k":"f"') && at < facts.length && line.includes(`"type":"${facts[at]}"`)) at += 1
    return at === facts.length
      ? []
      : [`${story}: ${recording} expected the fact ${facts[at]}, it is not there in order`]
  })
}

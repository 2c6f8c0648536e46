/** Settled sessions for both clients. */
import type { Namespaces, Peer } from '../../src/events/schema/fields.ts'

export type Settled = {
  sessionTopic: string
  pairingTopic: string
  controllerKey: string
  peer: Peer
  namespaces: Namespaces
  /** ms */
  expiresAt: number
  accounts: string[]
}

const chain = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const account = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'

/** Each with distinct values, as if received separately. */
export function* settledSessions(count: number): Generator<Settled> {
  for (let index = 0; index < count; index++) {
    const hex = (word: string) => `${word}${index.toString(16)}`.padStart(64, '0')
    yield {
      sessionTopic: hex('aa'),
      pairingTopic: hex('bb'),
      controllerKey: hex('cc'),
      peer: {
        name: `Wallet ${index}`,
        url: `https://wallet-${index}.example`,
        description: `The wallet with the number ${index}`,
        icons: [`https://wallet-${index}.example/icon.png`],
      },
      namespaces: {
        solana: {
          chains: [chain],
          accounts: [`${chain}:${account}`],
          methods: ['solana_signMessage', 'solana_signTransaction', 'solana_signAndSendTransaction'],
          events: ['accountsChanged', 'chainChanged'],
        },
      },
      expiresAt: Date.now() + 604_800_000,
      accounts: [account],
    }
  }
}

/** @returns a settled session in the official client's form */
export function officialSession({ sessionTopic, pairingTopic, controllerKey, peer, namespaces, expiresAt }: Settled) {
  const metadata = { name: 'MAI presale', description: '', url: 'https://sale.example', icons: [] }
  return {
    topic: sessionTopic,
    pairingTopic,
    relay: { protocol: 'irn' },
    namespaces,
    requiredNamespaces: {},
    optionalNamespaces: namespaces,
    controller: controllerKey,
    expiry: Math.floor(expiresAt / 1000),
    acknowledged: true,
    self: { publicKey: controllerKey, metadata },
    peer: { publicKey: controllerKey, metadata: peer },
    transportType: 'relay',
  }
}

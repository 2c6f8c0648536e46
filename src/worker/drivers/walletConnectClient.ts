/** Our WalletConnect client with everything it is made of: fetched when a wallet is reached by its code, or was before. */
import type { EffectData } from '../../events/effect.ts'
import { linkUrl } from '../walletconnect/linkMode.ts'
import type { KeyStore } from './keys.ts'
import { createRelayDriver, type RelayPorts } from './relay.ts'
import { createVault, type Vault } from './vault.ts'

export type ClientPorts = Omit<RelayPorts, 'vault'> & { keys: KeyStore }

export type WalletConnectClient = ReturnType<typeof createRelayDriver> &
  Vault['drivers'] &
  Pick<Vault, 'forget' | 'pairingUri' | 'textHash' | 'attestations'> & {
    /** @returns the link with a sealed message in it; undefined when the message is gone */
    linkUrl(data: EffectData['link.send']): Promise<string | undefined>
  }

/** @returns the client's drivers; it opens no socket and makes no key before an effect says so */
export function createWalletConnectClient({ keys, ...ports }: ClientPorts): WalletConnectClient {
  const vault = createVault({ keys, bytes: ports.bytes })
  const { drivers, forget, pairingUri, textHash, attestations } = vault
  return {
    ...drivers,
    ...createRelayDriver({ ...ports, vault }),
    forget,
    pairingUri,
    textHash,
    attestations,
    async linkUrl({ universal, topic, messageRef }) {
      const envelope = await vault.sealedMessage(messageRef)
      return envelope === undefined ? undefined : linkUrl(universal, topic, envelope)
    },
  }
}

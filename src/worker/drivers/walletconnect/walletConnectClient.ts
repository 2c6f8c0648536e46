/** The WalletConnect client: loaded when a wallet is connected by its code, or was before. */
import type { EffectData } from '../../../events/effect.ts'
import { linkUrl } from '../../walletconnect/link/linkMode.ts'
import { createCurves } from './curves.ts'
import type { KeyStore } from './keys.ts'
import type { JudgePorts } from './attested.ts'
import { createRelayDriver, type RelayPorts } from './relay.ts'
import { createVault, type Vault } from './vault.ts'

export type ClientPorts = Omit<RelayPorts, 'vault' | 'judging' | 'signer'> & {
  keys: KeyStore
  /** the verify service; without its URL no attestation is requested, without URL and key none is verified */
  verifying?: Omit<JudgePorts, 'now'> & { projectId: string }
}

export type WalletConnectClient = ReturnType<typeof createRelayDriver> &
  Vault['drivers'] &
  Pick<Vault, 'forget' | 'pairingUri'> & {
    /** @returns the URL that the page's frame loads for a message's attestation; undefined for messages of an earlier life */
    attestationUrl(messageRef: string): Promise<string | undefined>
    /** Stores the attestation of a message in memory, if this life sealed it. */
    attest(messageRef: string, jwt: string): void
    /** @returns the link with a sealed message in it; undefined when the message is gone */
    linkUrl(data: EffectData['link.send']): Promise<string | undefined>
  }

/** @returns the client's drivers; it opens no socket and makes no key before an effect */
export function createWalletConnectClient({ keys, verifying, ...ports }: ClientPorts): WalletConnectClient {
  const { agree, signer } = createCurves()
  const vault = createVault({ keys, bytes: ports.bytes, agree })
  const { drivers, forget, pairingUri, textHash, attestations } = vault
  const isJudge = verifying?.url !== undefined || verifying?.key !== undefined
  return {
    ...drivers,
    ...createRelayDriver({ ...ports, vault, signer, ...(isJudge && { judging: verifying }) }),
    forget,
    pairingUri,
    async attestationUrl(messageRef) {
      const decryptedId = textHash(messageRef)
      if (decryptedId === undefined || verifying?.url === undefined) return undefined
      if (!attestations.has(messageRef)) attestations.set(messageRef, undefined)
      const { url, projectId } = verifying
      const query = new URLSearchParams({ projectId, id: messageRef, decryptedId })
      return `${url}/v3/attestation?${query.toString()}`
    },
    attest(messageRef, jwt) {
      if (textHash(messageRef) !== undefined) attestations.set(messageRef, jwt)
    },
    async linkUrl({ universal, topic, messageRef }) {
      const envelope = await vault.sealedMessage(messageRef)
      return envelope === undefined ? undefined : linkUrl(universal, topic, envelope)
    },
  }
}

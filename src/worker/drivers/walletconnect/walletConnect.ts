/**
 * WalletConnect's entry in the worker: drivers that load the client and its cryptography on the first effect. Most visitors
 * never need it.
 */
import { withinTime } from '../../../runtime/withinTime.ts'
import { Fault } from '../../../runtime/failure.ts'
import type { EffectData } from '../../../events/effect.ts'
import { answered, drive } from '../drive.ts'
import type { Drive } from '../../../runtime/host/driver.ts'
import { forgetKeys } from './keys.ts'
import { driveLater } from '../../../runtime/host/driveLater.ts'
import { later } from '../../../runtime/later.ts'
import type { ClientPorts, WalletConnectClient } from './walletConnectClient.ts'

/** Effects that load the client; `relay.close` and `vault.forget` work without it. */
const itsEffects = [
  'relay.open',
  'relay.subscribe',
  'relay.fetch',
  'relay.unsubscribe',
  'relay.publish',
  'relay.propose',
  'relay.acknowledge',
  'vault.makePairing',
  'vault.makeAuth',
  'vault.deriveSession',
  'vault.seal',
] as const

export type WalletConnectDriver = {
  drivers: { [type: string]: Drive }
  /** @returns the pairing code, undefined without its key. @throws Fault `reload_needed` */
  pairingUri(pairingTopic: string): Promise<string | undefined>
  linkUrl: WalletConnectClient['linkUrl']
  attestationUrl: WalletConnectClient['attestationUrl']
  /** Stores the attestation of a message in memory. */
  attest(messageRef: string, jwt: string): Promise<void>
  readLink: WalletConnectClient['readLink']
  /** @returns the client's id; undefined before the first connection in this page */
  clientId(): Promise<string | undefined>
  /** Loads the client ahead of the first effect, which reports a failure. */
  prepare(): void
}

/** Loads the client; injected so that tests can make it fail. */
export type LoadClient = () => Promise<(ports: ClientPorts) => WalletConnectClient>
const loadDefault: LoadClient = () => import('./walletConnectClient.ts').then(part => part.createWalletConnectClient)

/** How long the client's file may take to load before it counts as missing, ms. */
const loadMs = 15_000

/** @returns drivers of every `relay.*` and `vault.*` effect; effects run in order */
export function createWalletConnect(ports: ClientPorts & { load?: LoadClient }): WalletConnectDriver {
  const { load = loadDefault, ...shared } = ports
  const client = later('reaching a wallet by its code', async () =>
    (await withinTime(load(), loadMs, notLoaded))(shared),
  )
  return {
    drivers: {
      ...Object.fromEntries(itsEffects.map(type => [type, driveLater(type, client)])),
      'relay.close': async (effect, answer) => {
        const here = client.begun() ? await client.get().catch(() => undefined) : undefined
        await here?.['relay.close'](effect, answer)
      },
      // Old keys are deleted without the client too, as that needs no decryption
      'vault.forget': drive(
        async (data: EffectData['vault.forget']) => {
          const here = client.begun() ? await client.get().catch(() => undefined) : undefined
          await (here ? here.forget(data) : forgetKeys(ports.keys, data))
          return undefined
        },
        () =>
          answered({
            type: 'vault.failed',
            data: { failure: { code: 'storage_down', message: 'old keys could not be erased' } },
          }),
      ),
    },
    attestationUrl: async messageRef => (await client.get()).attestationUrl(messageRef),
    attest: async (messageRef, jwt) => (await client.get()).attest(messageRef, jwt),
    linkUrl: async data => (await client.get()).linkUrl(data),
    readLink: async (url, universal) => (await client.get()).readLink(url, universal),
    pairingUri: async pairingTopic => (await client.get()).pairingUri(pairingTopic),
    clientId: async () => (client.begun() ? (await client.get().catch(() => undefined))?.clientId() : undefined),
    prepare: () => void client.get().catch(() => undefined),
  }
}

function notLoaded(): never {
  throw new Fault('reload_needed', `a part of this page was expected within ${loadMs / 1000} s, it did not come`)
}

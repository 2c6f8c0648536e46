import { keyStore } from '../drivers/walletconnect/keys.ts'
import { memoryBytes } from '../drivers/bytes.ts'
import { openLog } from '../journal/storage.ts'
import { createVerify } from '../drivers/walletconnect/verify.ts'
import { createWalletConnect } from '../drivers/walletconnect/walletConnect.ts'

/**
 * Reads a pairing's code from the leader's vault on disk, where it is sealed by a key that the browser gives to no script.
 *
 * @returns undefined when it is not on this device
 * @throws Fault `storage_down`, `reload_needed`
 */
export async function pairingUriFrom(genesisHash: string, pairingTopic: string): Promise<string | undefined> {
  const log = await openLog(genesisHash)
  const ports = {
    bytes: memoryBytes(),
    verify: createVerify(),
    now: () => 0,
    emit: () => undefined,
    relayUrls: [],
    online: () => false,
    askedByPage: () => undefined,
  }
  try {
    return await createWalletConnect({ keys: keyStore(log), ...ports }).pairingUri(pairingTopic)
  } finally {
    log.close()
  }
}

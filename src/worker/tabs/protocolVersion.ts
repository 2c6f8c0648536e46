import { shortHash } from '../../runtime/log/shortHash.ts'
import { messagesVersion } from '../../runtime/tabs/messagesVersion.ts'
import { registryHash } from '../../events/schema/registryHash.ts'
import type { CoreConfig } from '../../events/wire.ts'

/** Raised when page effects or calls change their meaning: a tab with another number is another build. */
const version = 3

/** @returns the registry's hash, the versions of page effects and of messages between tabs, and the hash of the chain's address: equal where tabs share a core */
export function protocolVersionOf(config: Pick<CoreConfig, 'solanaRpcUrl'>, registry = registryHash()): string {
  return `${registry}.${version}.${messagesVersion}.${shortHash(config.solanaRpcUrl)}`
}

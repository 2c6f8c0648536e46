import { shortHash } from '../../runtime/log/shortHash.ts'
import { registryHash } from '../../events/schema/registryHash.ts'
import type { CoreConfig } from '../../events/wire.ts'

/** Raised when messages or page effects change their meaning: a tab with another number is another build. */
const version = 3

/** @returns the registry's hash, the version of the messages and the hash of the chain's address: equal where tabs share a core */
export function protocolVersionOf(config: Pick<CoreConfig, 'solanaRpcUrl'>, registry = registryHash()): string {
  return `${registry}.${version}.${shortHash(config.solanaRpcUrl)}`
}

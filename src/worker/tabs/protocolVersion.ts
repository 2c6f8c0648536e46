import { shortHash } from '../../events/log/shortHash.ts'
import { registryHash } from '../../events/schema/registryHash.ts'
import type { CoreConfig } from '../../events/wire.ts'

/** Raised when messages or page effects change their meaning: a tab that speaks another version is another build. */
const version = 2

/** @returns what tabs must have in common to share a core: the registry, these messages, and the chain's address */
export function protocolVersionOf(config: Pick<CoreConfig, 'solanaRpcUrl'>, registry = registryHash()): string {
  return `${registry}.${version}.${shortHash(config.solanaRpcUrl)}`
}

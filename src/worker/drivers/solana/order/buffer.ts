/** Makes Node's Buffer global for libraries that expect it; the only file here with an import side effect. */
import { Buffer } from 'buffer'

const scope = globalThis as { Buffer?: unknown }
scope.Buffer ??= Buffer

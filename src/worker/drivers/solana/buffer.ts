/** Node's Buffer for libraries that expect it to be global; the one file here whose import does something. */
import { Buffer } from 'buffer'

const scope = globalThis as { Buffer?: unknown }
scope.Buffer ??= Buffer

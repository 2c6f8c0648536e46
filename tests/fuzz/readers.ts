/** Everything that is fuzzed. */
import type { Reader } from './reader.ts'
import { envelopes, sealedAnswers } from './readers/envelopes.ts'
import { frames, payloads } from './readers/frames.ts'
import { ids } from './readers/ids.ts'
import { namespaces } from './readers/namespaces.ts'
import { stories } from './readers/stories.ts'
import { clientIds, tokens } from './readers/tokens.ts'
import { links, uris } from './readers/uris.ts'

export const readers: readonly Reader[] = [
  frames,
  payloads,
  envelopes,
  sealedAnswers,
  uris,
  links,
  namespaces,
  ids,
  tokens,
  clientIds,
  stories,
]

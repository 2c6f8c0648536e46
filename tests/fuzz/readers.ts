/** All fuzzed readers. Those of relay messages, which anyone can send, are counted; the others are added on top. */
import type { Reader } from './reader.ts'
import { announcements } from './readers/announcements.ts'
import { envelopes, linkEnvelopes, sealedAnswers } from './readers/envelopes.ts'
import { fetched } from './readers/fetched.ts'
import { frames, payloads } from './readers/frames.ts'
import { ids } from './readers/ids.ts'
import { namespaces } from './readers/namespaces.ts'
import { pictures } from './readers/pictures.ts'
import { nodeAnswers } from './readers/nodeAnswers.ts'
import { nodeFrames } from './readers/nodeFrames.ts'
import { allowlists, checkpoints, contents, memos, noticeLists, terms } from './readers/published.ts'
import { serviceAnswers } from './readers/serviceAnswers.ts'
import { statements } from './readers/statements.ts'
import { stories } from './readers/stories.ts'
import { clientIds, tokens } from './readers/tokens.ts'
import { links, uris } from './readers/uris.ts'

export const counted: readonly Reader[] = [frames, payloads, envelopes]

export const readers: readonly Reader[] = [
  ...counted,
  sealedAnswers,
  linkEnvelopes,
  fetched,
  uris,
  links,
  namespaces,
  ids,
  tokens,
  clientIds,
  statements,
  terms,
  checkpoints,
  noticeLists,
  contents,
  allowlists,
  memos,
  nodeAnswers,
  nodeFrames,
  stories,
  announcements,
  pictures,
  ...serviceAnswers,
]

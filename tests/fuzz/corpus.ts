/** Seed texts of the fuzzer: all vectors and recorded exchanges. */
import { type Transcript, vectors } from '../worker/walletconnect/vectors.ts'

const transcripts = Object.values(vectors.transcripts) as Transcript[]
const steps = transcripts.flatMap(({ frames }) => frames)
const frames = steps.flatMap(({ frame }) => (frame === undefined ? [] : [frame]))

export const corpus = {
  /** frames of both directions */
  frames,
  pushes: frames.filter(frame => frame.includes('"irn_subscription"')),
  /** decrypted payloads of wallets and dapps */
  payloads: steps.flatMap(({ plain }) => Object.values(plain ?? {})),
  uris: [
    ...transcripts.map(({ uri }) => uri),
    ...vectors.uri.parse.map(({ uri }) => uri),
    ...vectors.uri.format.map(({ uri }) => uri),
    ...vectors.uri.pair.flatMap(({ uri }) => (uri === null ? [] : [uri])),
  ],
  links: [
    ...vectors.deepLinks.map(({ link }) => link),
    'https://t.me/bot/app?x=1',
    'https://wallet.example/',
    'http://localhost:5174/app',
    'http://127.0.0.1/',
    'http://localhost:80@wallet.example/',
    'wallet:',
  ],
  tokens: [
    ...vectors.jwt.map(({ jwt }) => jwt),
    ...steps.flatMap(({ path }) => new URL(`ws://relay${path ?? '/'}`).searchParams.get('auth') ?? []),
  ],
  /** JSON of namespaces, well-formed or not */
  namespaces: [
    ...vectors.namespaces.validSession.map(({ namespaces }) => namespaces),
    ...vectors.namespaces.validProposal.map(({ namespaces }) => namespaces),
    ...vectors.namespaces.conforming.flatMap(({ required, session }) => [required, session]),
    ...vectors.namespaces.build.map(({ supported }) => supported),
  ].map(value => JSON.stringify(value)),
  ids: [String(vectors.rpcIds.wcExample), vectors.rpcIds.relayExample, '458622619359701', '1795226335321326765'],
}

import { Fault } from '../../../runtime/failure.ts'
import type { AuthAsk } from '../../../events/subjects/wallet/authFacts.ts'
import { isoOf } from '../../../events/values/isoOf.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import type { Json } from '../../../runtime/json/readJson.ts'
import { wcRequest } from '../relay/jsonrpc.ts'
import { type Metadata, readMetadata } from '../session/payloads.ts'
import { methodsRecap, recapIn } from './recap.ts'

type AuthRequest = {
  readonly id: number
  /** X25519, hex; the answer's topic is its hash */
  readonly publicKey: string
  readonly metadata: Metadata
  readonly asked: AuthAsk
  /** ms */
  readonly issuedAt: number
  /** Unix seconds */
  readonly expiryTimestamp: number
}

/**
 * @returns the one-click auth request, members in the order of the official client; the requested methods are the last
 *   resource, a ReCap
 * @throws Fault `bad_response` when the resources end in an unreadable ReCap
 */
export function authenticatePayload({
  id,
  publicKey,
  metadata,
  asked,
  issuedAt,
  expiryTimestamp,
}: AuthRequest): string {
  const { chains, statement, uri, domain, nonce, exp, nbf, requestId } = asked
  const resources = resourcesOf(asked)
  const authPayload: Json = {
    type: 'caip122',
    chains,
    ...(statement !== undefined && { statement }),
    aud: uri,
    domain,
    version: '1',
    nonce,
    iat: isoOf(issuedAt),
    ...(exp !== undefined && { exp }),
    ...(nbf !== undefined && { nbf }),
    ...(requestId !== undefined && { requestId }),
    ...(resources.length > 0 && { resources }),
  }
  return wcRequest(id, 'wc_sessionAuthenticate', { authPayload, requester: { publicKey, metadata }, expiryTimestamp })
}

function resourcesOf({ resources = [], methods }: AuthAsk): readonly string[] {
  if (methods.length === 0) return resources
  const before = recapIn(resources)
  const others = before === undefined ? resources : resources.slice(0, -1)
  return [...others, methodsRecap(methods, before)]
}

/** @returns the responder and its CACAOs, unread. @throws Fault `bad_response` when the responder's key is missing */
export function readAuthAnswer(result: Readonly<Record<string, unknown>>) {
  const { responder, cacaos } = result
  const publicKey = isRecord(responder) ? responder.publicKey : undefined
  if (typeof publicKey !== 'string' || !/^[0-9a-f]{64}$/.test(publicKey))
    throw new Fault('bad_response', 'the answer to one-click auth expected responder.publicKey of 64 hex digits')
  return { responderKey: publicKey, metadata: readMetadata(isRecord(responder) ? responder.metadata : {}), cacaos }
}

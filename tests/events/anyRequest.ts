import type { LateAnswer, RequestEnd } from '../../src/events/subjects/session/requestState.ts'
import type { RequestView } from '../../src/events/subjects/session/request.ts'

/** A request of any phase, with the parts that only some phases have. */
export type AnyRequest = {
  requestId: string
  sessionTopic: string
  method: string
  chainId: string
  purpose: string
  sentAt: number
  expiresAt: number
  phase: 'sent' | 'delivered' | 'ended'
  params?: string
  askAt?: number
  end?: RequestEnd
  late?: LateAnswer
}

/** @returns all requests, in the order of their table */
export function requestsIn({ request }: { request: RequestView }): AnyRequest[] {
  return Object.values(request)
}

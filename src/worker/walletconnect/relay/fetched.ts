import { Fault } from '../../../runtime/failure.ts'
import { isRecord } from '../../../runtime/json/isRecord.ts'
import { type Delivered, readDelivered } from './jsonrpc.ts'

/** A page of messages that waited in the relay's mailbox. */
type Fetched = {
  /** by publication time, oldest first */
  readonly messages: readonly Delivered[]
  /** one message for each malformed entry */
  readonly malformed: readonly string[]
  readonly hasMore: boolean
}

/**
 * Reads the answer to a fetch.
 *
 * @returns undefined when it answers another request
 * @see WalletConnect specs, relay RPC, irn_fetchMessages
 */
export function readFetched(result: unknown): Fetched | undefined {
  if (!isRecord(result) || !Array.isArray(result.messages)) return undefined
  const messages: Delivered[] = []
  const malformed: string[] = []
  for (const given of result.messages) {
    try {
      messages.push(readDelivered(given, refuse))
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      malformed.push(cause.message)
    }
  }
  messages.sort((a, b) => (a.publishedAt ?? 0) - (b.publishedAt ?? 0))
  return { messages, malformed, hasMore: result.hasMore === true }
}

function refuse(member: string, expected: string): Fault {
  return new Fault('bad_response', `fetched message expected ${member} to be ${expected}`)
}

/**
 * JSON-RPC 2.0 by the reference, both layers (§4.1, §4.5, §16.5), without any code under test.
 * Text outside this grammar must not be accepted; text in its plain part must be.
 */
import { depthOf, isTricky, member, type Text, textIn, type Tree, treeOf, wholeIn } from '../jsonTree.ts'

export type Rpc =
  | { kind: 'request'; id: string; echo: string; method: string; params: Tree | undefined }
  | { kind: 'result'; id: string; result: Tree | undefined }
  | { kind: 'error'; id: string | null; error: Tree | undefined }

export type Reading<T> = {
  /** the text's content; undefined outside the grammar */
  says?: T
  /** without unusual parts, so it must be accepted */
  isPlain: boolean
}

const nothing = { isPlain: false }
/** Limits of the plain part: longer or deeper texts than any real message may be refused. */
const plainLength = 50_000
const plainDepth = 16

/** @returns the content of a frame or payload */
export function rpcOf(text: string): Reading<Rpc> {
  const tree = treeOf(text)
  if (tree?.kind !== 'object' || textIn(member(tree, 'jsonrpc')) !== '2.0') return nothing
  const ids = tree.members.filter(([key]) => key.value === 'id').map(([, value]) => value)
  if (ids.length > 1) return nothing
  const [id] = ids
  const rpc = messageIn(tree, id)
  if (!rpc) return nothing
  const isUsual = text.length <= plainLength && !isTricky(tree) && depthOf(tree) <= plainDepth
  return { says: rpc, isPlain: isUsual && (id === undefined || isPlainId(id)) }
}

function messageIn(tree: Tree, id: Tree | undefined): Rpc | undefined {
  const [named, result, error] = [member(tree, 'method'), member(tree, 'result'), member(tree, 'error')]
  // Some peers write absent members as null
  const method = named && isNull(named) ? undefined : named
  // Some peers send both members of an answer, one of them null; with a value in both it is invalid
  const isBoth = result !== undefined && error !== undefined && !isNull(result) && !isNull(error)
  const isFailure = error !== undefined && !(isNull(error) && result !== undefined)
  if (id === undefined || isNull(id)) {
    if (method !== undefined || !isFailure || isBoth) return undefined
    return { kind: 'error', id: null, error }
  }
  const ids = idOf(id)
  if (!ids) return undefined
  if (method !== undefined) {
    const isAnswer = [result, error].some(part => part !== undefined && !isNull(part))
    return isAnswer || method.kind !== 'text'
      ? undefined
      : { kind: 'request', ...ids, method: method.value, params: member(tree, 'params') }
  }
  if (isBoth) return undefined
  if (isFailure) return { kind: 'error', id: ids.id, error }
  return result === undefined ? undefined : { kind: 'result', id: ids.id, result }
}

/** An id is an unsigned integer of any length, or a text. */
function idOf(id: Tree): { id: string; echo: string } | undefined {
  if (id.kind === 'text') return { id: id.value, echo: id.literal }
  return id.kind === 'number' && /^\d+$/.test(id.literal) ? { id: id.literal, echo: id.literal } : undefined
}

function isPlainId(id: Tree): boolean {
  if (id.kind === 'number') return /^\d{1,19}$/.test(id.literal)
  return id.kind === 'word' || (id.kind === 'text' && /^"\d{1,19}n?"$/.test(id.literal))
}

export function isNull(tree: Tree): boolean {
  return tree.kind === 'word' && tree.literal === 'null'
}

export type PushSays = {
  kind: 'push'
  id: string
  echo: string
  subscriptionId: string
  topic: string
  message: string
  publishedAt: number | null
  tag: number | null
  attestation: string | null
}

/** @returns a frame's content; a malformed push is outside the grammar, but has an id to acknowledge */
export function frameOf(text: string): Reading<Rpc | PushSays> & { toAcknowledge?: string } {
  const { says, isPlain } = rpcOf(text)
  if (!says) return nothing
  if (says.kind !== 'request' || says.method !== 'irn_subscription') return { says, isPlain }
  const { id, echo, params } = says
  const push = pushIn(params)
  if (!push) return { isPlain: false, toAcknowledge: echo }
  return { says: { kind: 'push', id, echo, ...push }, isPlain, toAcknowledge: echo }
}

export type DeliveredSays = Omit<PushSays, 'kind' | 'id' | 'echo' | 'subscriptionId'>

function pushIn(params: Tree | undefined): Omit<PushSays, 'kind' | 'id' | 'echo'> | undefined {
  const subscriptionId = textIn(member(params, 'id'))
  const delivered = deliveredIn(member(params, 'data'))
  return subscriptionId === undefined || !delivered ? undefined : { subscriptionId, ...delivered }
}

/** @returns a message delivered by the relay, pushed or fetched */
export function deliveredIn(data: Tree | undefined): DeliveredSays | undefined {
  const topic = textIn(member(data, 'topic'))
  const message = textIn(member(data, 'message'))
  const [publishedAt, tag] = [countIn(member(data, 'publishedAt')), countIn(member(data, 'tag'))]
  const attestation = orNull(member(data, 'attestation'), part =>
    part.kind === 'text' ? (part satisfies Text).value : undefined,
  )
  if (topic === undefined || !/^[0-9a-f]{64}$/.test(topic)) return undefined
  if (message === undefined || publishedAt === undefined || tag === undefined || attestation === undefined)
    return undefined
  return { topic, message, publishedAt, tag, attestation }
}

/** Absent and null are equal. */
function orNull<T>(tree: Tree | undefined, read: (tree: Tree) => T | undefined): T | null | undefined {
  return tree === undefined || isNull(tree) ? null : read(tree)
}

function countIn(tree: Tree | undefined): number | null | undefined {
  return orNull(tree, part => {
    const count = wholeIn(part)
    return count !== undefined && count >= 0 ? count : undefined
  })
}

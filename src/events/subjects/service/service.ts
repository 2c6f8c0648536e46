/** Calls of the Blockchain API: what was asked, and the latest answers. */
import { failure } from '../../schema/fields.ts'
import {
  define,
  flag,
  id,
  integer,
  list,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { instant } from '../../schema/scales.ts'
import { serviceAnswer, serviceAsk } from './serviceShapes.ts'

const callId = openField(id)
const reasons = optional(list(personal(text)))
/** Present: shown as a notice, in the page's words for the call; this text, where the page has none. */
const toast = optional(openField(text))

export const serviceFacts = define({
  'service.asked': v1({ callId, ask: serviceAsk }),
  /** `failure`: the service failed, and the answer stands in its place. */
  'service.answered': v1({ callId, answer: serviceAnswer, failure: optional(failure), toast }),
  /** `reasons` are the service's own words. */
  'service.failed': v1({ callId, failure, reasons, toast }),
  /** Answered by this earlier call, which is `ageMs` old; 0 while it is under way. */
  'service.reused': v1({ callId, ageMs: openField(integer) }),
})
export type ServiceFact = UnionOf<typeof serviceFacts>

/** `at` is the time of the latest answer or failure, `readAt` that of `answer`, which a later failure leaves standing. */
export function serviceState() {
  return shape({
    callId,
    ask: serviceAsk,
    isAsked: openField(flag),
    at: openField(instant),
    readAt: openField(instant),
    answer: optional(serviceAnswer),
    failure: optional(failure),
    reasons,
  })
}
export type ServiceEntry = StateOf<typeof serviceState>
/** By `askKey`, of each call the latest few, the oldest first. */
export type ServiceView = Record<string, ServiceEntry>
export type ServiceAsk = ServiceEntry['ask']
export type ServiceAnswer = NonNullable<ServiceEntry['answer']>
export type ServiceCall = ServiceAsk['call']

/** Entries kept of one call. */
export const entriesKept = 8

/**
 * @returns the text by which equal asks are known, whatever the order of their parameters, which a log does not keep; who asks,
 *   what to read anew and the order of tokens tell no two apart
 */
export function askKey(ask: ServiceAsk): string {
  let key = ''
  const parameters: Readonly<Record<string, unknown>> = ask
  for (const name of namesInOrder(ask)) {
    const value = parameters[name]
    if (name === 'addresses') key += JSON.stringify([...new Set(value as string[])].sort())
    else if (name !== 'sender' && name !== 'forceUpdate')
      // With its length a text needs no quotes, which cost more than all else here
      key += typeof value === 'string' ? `${name}:${value.length}:${value} ` : `${name}=${JSON.stringify(value)} `
  }
  return key
}

/** @returns the sorted names of its own fields; most asks have fewer than five, which a library's sort makes slow */
function namesInOrder(fields: object): string[] {
  const names = Object.keys(fields)
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at] as string
    let to = at
    for (; to > 0 && (names[to - 1] as string) > name; to -= 1) names[to] = names[to - 1] as string
    names[to] = name
  }
  return names
}

export function foldService(model: { service: ServiceView }, { type, at, data }: ServiceFact & { at: number }): void {
  if (type === 'service.asked') {
    const { ask } = data
    const { [askKey(ask)]: known, ...others } = model.service
    const same = Object.keys(others).filter(key => others[key]?.ask.call === ask.call)
    for (const key of same.slice(0, Math.max(0, same.length + 1 - entriesKept))) delete others[key]
    model.service = { ...others, [askKey(ask)]: { at: 0, readAt: 0, ...known, ...data, isAsked: true } }
    return
  }
  if (type !== 'service.answered' && type !== 'service.failed') return
  const asked = Object.values(model.service).find(entry => entry.callId === data.callId)
  if (!asked?.isAsked) return
  asked.isAsked = false
  asked.at = at
  delete asked.failure
  delete asked.reasons
  if (type === 'service.answered') {
    asked.answer = data.answer
    asked.readAt = at
  } else if (data.reasons) asked.reasons = data.reasons
  if (data.failure) asked.failure = data.failure
}

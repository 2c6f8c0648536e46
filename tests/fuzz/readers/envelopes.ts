/** Envelopes of all types, whole and damaged, opened with the topic's key or with our own. */
import { Fault } from '../../../src/runtime/failure.ts'
import { createCurves } from '../../../src/worker/drivers/walletconnect/curves.ts'
import { symKeyFrom } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { openEnvelope, senderOf, type Way } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { vectors } from '../../worker/walletconnect/vectors.ts'
import { changedText } from '../changedText.ts'
import { bytesOf, type Key, textInside } from '../grammars/envelope.ts'
import type { Random } from '../random.ts'
import { type Read, type Reader, refused, taken, wrong } from '../reader.ts'

const { type0, type1, type2, bad } = vectors.envelopes
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
const keys: Key[] = [
  ...type0.map(({ symKey }) => ({ symKey: bytes(symKey) })),
  ...type1.map(({ receiverPrivateKey }) => ({ privateKey: bytes(receiverPrivateKey) })),
]
const isSym = (key: Key | undefined): key is { symKey: Uint8Array } => key !== undefined && 'symKey' in key
/** Each with its key. */
const whole: { envelope: string; key: number }[] = [
  ...type0.map(({ encoded }, key) => ({ envelope: encoded, key })),
  ...type1.map(({ encoded }, at) => ({ envelope: encoded, key: type0.length + at })),
]
const others = [...type2.map(({ encodedBase64 }) => encodedBase64), ...bad.map(({ encoded }) => encoded)]

function flipped(random: Random, envelope: string): string {
  const changed = Buffer.from(envelope, 'base64')
  for (let count = 1 + random.below(2); count > 0; count--) {
    const at = random.below(changed.length)
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(8))
  }
  return changed.toString('base64')
}

function cut(random: Random, envelope: string): string {
  const all = Buffer.from(envelope, 'base64')
  const from = random.below(3) === 0 ? random.below(4) : 0
  return all.subarray(from, from + random.below(all.length + 1)).toString('base64')
}

function made(random: Random, share: readonly { envelope: string; key: number }[]): string {
  const { envelope, key } = random.pick(share)
  const way = random.below(10)
  const text =
    way < 3
      ? flipped(random, envelope)
      : way < 5
        ? cut(random, envelope)
        : way < 7
          ? changedText(random, envelope, random.pick(whole).envelope)
          : way === 7
            ? random.pick(others)
            : way === 8
              ? Buffer.concat([Buffer.of(random.below(4)), random.bytes(random.below(90))]).toString('base64')
              : envelope
  // Sometimes with the key of another type or topic
  return `${random.oneIn(5) ? random.below(keys.length) : key} ${text}`
}

const { agree } = createCurves()

/** Opens an envelope like the vault. */
async function opened(envelope: string, key: Key, way: Way, read: Read): Promise<{ value: string } | { fault: Fault }> {
  if (isSym(key)) return read(() => openEnvelope(envelope, key, way))
  const sender = read(() => senderOf(envelope, way))
  if ('fault' in sender) return sender
  const secret = await agree(key.privateKey, sender.value).catch((fault: unknown) => fault)
  if (secret instanceof Fault) return { fault: secret }
  if (!(secret instanceof Uint8Array)) throw secret
  return read(() => openEnvelope(envelope, { agreedKey: symKeyFrom(secret) }, way))
}

async function judge(input: string, read: Read) {
  const at = input.indexOf(' ')
  const key = keys[Number(input.slice(0, at))]
  const envelope = input.slice(at + 1)
  if (!key) return refused
  const inside = textInside(envelope, key)
  const found = await opened(envelope, key, 'relay', read)
  if ('fault' in found) return inside === undefined ? refused : wrong(false, 'an envelope that opens was refused')
  if (inside === undefined) return wrong(true, 'an envelope that does not open was opened')
  if (inside !== found.value) return wrong(true, 'an envelope opened to another text')
  const raw = bytesOf(envelope)
  return raw && (!isSym(key) || openEnvelope(new Uint8Array(raw), key) === inside)
    ? taken
    : wrong(true, 'the bytes open otherwise than their text')
}

/** The same for links, which use a different alphabet. */
async function judgeLink(input: string, read: Read) {
  const [at = '', envelope = ''] = input.split(' ', 2)
  const key = keys[Number(at)]
  if (!key) return refused
  const inside = textInside(envelope, key, 'link')
  const found = await opened(envelope, key, 'link', read)
  if ('fault' in found) return inside === undefined ? refused : wrong(false, 'a link that opens was refused')
  return inside === found.value ? taken : wrong(true, 'a link was opened that does not open, or to another text')
}

const inLink = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')

const ofTopics = whole.filter(({ key }) => isSym(keys[key]))
const ofKeys = whole.filter(({ key }) => !isSym(keys[key]))

export const envelopes: Reader = { name: 'envelopes', share: 240, make: random => made(random, ofTopics), judge }
export const linkEnvelopes: Reader = {
  name: 'linkEnvelopes',
  share: 20,
  make: random => (random.oneIn(9) ? made(random, ofTopics) : inLink(made(random, ofTopics))),
  judge: judgeLink,
}
/** Few cases: a key agreement costs a thousand times more than reading a frame. */
export const sealedAnswers: Reader = { name: 'sealedAnswers', share: 10, make: random => made(random, ofKeys), judge }

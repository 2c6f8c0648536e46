/** Properties of the protocol code for arbitrary inputs; the other tests use examples. */
import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeded } from '../../../src/runtime/core/generator.ts'
import { publicKeyOf } from '../../../src/worker/walletconnect/crypto/clientId.ts'
import { topicOf } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { fromBase64url, fromUtf8, toBase64 } from '../../../src/worker/walletconnect/crypto/encoding.ts'
import { fromBase64 } from '../../../src/worker/walletconnect/crypto/base64.ts'
import { openEnvelope, plainEnvelope, sealEnvelope } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import { isStale, relayId, wcId } from '../../../src/worker/walletconnect/relay/ids.ts'
import { answerTrue, parsePayload, parseRelayFrame } from '../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { relayJwt } from '../../../src/worker/walletconnect/crypto/jwt.ts'
import { conformanceProblem } from '../../../src/worker/walletconnect/session/namespaceChecks.ts'
import { mergeNamespaces, type ProposedNamespaces } from '../../../src/worker/walletconnect/session/namespaces.ts'
import { formatUri, type PairingUri, requirePairingUri } from '../../../src/worker/walletconnect/link/uri.ts'
import { conforms } from '../../fuzz/grammars/namespaces.ts'
import { mergeOf } from '../../fuzz/grammars/merging.ts'
import { payloadId } from '../../../src/worker/deciders/request/payloadId.ts'
import type { Ctx } from '../../../src/worker/core/context.ts'
import { freshTransient } from '../../../src/worker/core/transient.ts'
import { nextRandom } from '../../../src/runtime/core/generator.ts'
import { deriveSymKey, keyPairFrom, openWith, signerOf } from './agreement.ts'
import { faultOf } from './refusals.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const hex = bytes(32).map(raw => Buffer.from(raw).toString('hex'))
const nowMs = 1_700_000_000_000

describe('a pairing URI', () => {
  const uris: fc.Arbitrary<PairingUri> = fc.record({
    topic: hex,
    version: fc.constant(2 as const),
    symKey: hex,
    relay: fc.constant({ protocol: 'irn' }),
    expiryTimestamp: fc.integer({ min: 1_700_000_001, max: 9_999_999_999 }),
  })
  const known = ['symKey', 'relay-protocol', 'relay-data', 'methods', 'expiryTimestamp']
  const unknown = fc.array(
    fc
      .tuple(fc.stringMatching(/^[a-z][\w-]{0,12}$/), fc.string({ unit: 'binary-ascii' }))
      .filter(([name]) => !known.includes(name)),
    { maxLength: 4 },
  )

  test('says the same in any order of its parameters, whatever unknown ones stand among them', () => {
    fc.assert(
      fc.property(uris, unknown, fc.infiniteStream(fc.nat()), (uri, others, keys) => {
        const [head = '', query = ''] = formatUri(uri).split('?')
        const named = [...new Map(others)].map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        const parameters = [...query.split('&'), ...named]
          .map(text => ({ text, place: keys.next().value }))
          .sort((a, b) => a.place - b.place)
        const shuffled = `${head}?${parameters.map(({ text }) => text).join('&')}`
        expect(requirePairingUri(shuffled, { nowMs })).toEqual(uri)
      }),
    )
  })
})

describe('an envelope', () => {
  test('of type 1 with any one bit changed opens to nothing', () => {
    const sealing = fc.tuple(fc.string(), bytes(32), bytes(32), bytes(12))
    fc.assert(
      fc.property(sealing, fc.nat(), ([text, mine, theirs, iv], at) => {
        const symKey = deriveSymKey(mine, keyPairFrom(theirs).publicKey)
        const whole = fromBase64(sealEnvelope({ text, symKey, iv, senderPublicKey: keyPairFrom(mine).publicKey }))
        const bit = at % (whole.length * 8)
        const changed = whole.slice()
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        // X25519 ignores the highest bit of a public key (RFC 7748 §5): the same key in another spelling
        if (bit === 32 * 8 + 7) expect(openWith(toBase64(changed), theirs)).toBe(text)
        else expect(faultOf(() => openWith(toBase64(changed), theirs)).code).toBe('bad_response')
      }),
      { numRuns: 60 },
    )
  })

  test('in a link gives back any text, sealed or plain, and never opens as one of the relay’s', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), bytes(32), bytes(12), (text, symKey, iv) => {
        const link = sealEnvelope({ text, symKey, iv, way: 'link' })
        expect(link).toMatch(/^[\w-]+$/)
        expect(openEnvelope(link, { symKey }, 'link')).toBe(text)
        const plain = fromBase64url(plainEnvelope(text))
        expect([plain[0], fromUtf8(plain.slice(1))]).toEqual([2, text])
        expect(faultOf(() => openEnvelope(plain, { symKey })).message).toContain('type 2')
      }),
    )
  })
})

describe('namespaces', () => {
  const names = fc.uniqueArray(fc.constantFrom('sign', 'send', 'personal_sign'), { maxLength: 3 })
  const chains = ['eip155:1', 'eip155:5', 'solana:main', 'solana:dev']
  const proposed: fc.Arbitrary<ProposedNamespaces> = fc.dictionary(
    fc.constantFrom('eip155', 'solana', 'eip155:1', 'solana:dev'),
    fc.record({ chains: fc.uniqueArray(fc.constantFrom(...chains)), methods: names, events: names }),
  )
  const given = fc.dictionary(
    fc.constantFrom('eip155', 'solana', 'eip155:1'),
    fc.record({
      accounts: fc.uniqueArray(fc.constantFrom(...chains.map(chain => `${chain}:A`))),
      methods: names,
      events: names,
    }),
    { minKeys: 1 },
  )

  test('merged hold all of both, each once, what is required first; merging with nothing changes nothing more', () => {
    fc.assert(
      fc.property(proposed, proposed, (required, optional) => {
        const merged = mergeNamespaces(required, optional)
        expect(mergeOf(required as never, optional as never).differs(merged)).toBeUndefined()
        expect(mergeNamespaces(merged, {})).toEqual(merged)
        expect(mergeNamespaces(merged, merged)).toEqual(merged)
      }),
      { numRuns: 500 },
    )
  })

  test('conform when every required chain has an account, its methods and its events, and only then', () => {
    fc.assert(
      fc.property(proposed, given, (required, session) => {
        const problem = conformanceProblem(required, session, 'approve()')
        expect(problem === undefined).toBe(conforms(required as never, session))
      }),
      { numRuns: 500 },
    )
  })
})

test('a token is the same for the same claims, and Node’s own cryptography takes it, but for no other key', async () => {
  await fc.assert(
    fc.asyncProperty(bytes(32), bytes(32), hex, fc.webUrl(), fc.nat(), async (seed, other, sub, aud, iat) => {
      const signer = signerOf(seed)
      const token = await relayJwt({ signer, sub, aud, iat })
      expect(await relayJwt({ signer, sub, aud, iat })).toBe(token)
      const [header = '', claims = '', signature = ''] = token.split('.')
      const said = JSON.parse(Buffer.from(claims, 'base64url').toString())
      expect(said).toEqual({ iss: said.iss, sub, aud, iat, exp: iat + 86_400 })
      const isBy = (did: string) => {
        const x = Buffer.from(publicKeyOf(did)).toString('base64url')
        const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
        return verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
      }
      expect(isBy(said.iss)).toBe(true)
      const [, theirs = ''] = (await relayJwt({ signer: signerOf(other), sub, aud, iat })).split('.')
      const { iss } = JSON.parse(Buffer.from(theirs, 'base64url').toString())
      if (iss !== said.iss) expect(isBy(iss)).toBe(false)
    }),
    { numRuns: 30 },
  )
})

describe('ids', () => {
  const moment = fc.integer({ min: 1_000_000_000_000, max: 9_007_199_254_738 })

  test('of a later moment are higher, in both spaces, and older ones are known as that', () => {
    fc.assert(
      fc.property(moment, fc.nat(999), fc.nat(999), (ms, first, second) => {
        expect(wcId(ms + 1, second)).toBeGreaterThan(wcId(ms, first))
        expect(BigInt(relayId(ms + 1, second))).toBeGreaterThan(BigInt(relayId(ms, first)))
        expect(isStale(String(wcId(ms, first)), String(wcId(ms + 1, second)))).toBe(true)
        expect(isStale(String(wcId(ms, first)), String(wcId(ms, second)))).toBe(false)
      }),
    )
  })

  test('of our payloads only rise, however the clock is set', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(moment, { minLength: 2, maxLength: 30 }), (seed, moments) => {
        const transient = freshTransient(seed, 0)
        const random = seeded(seed)
        let last = 0
        for (const at of moments) {
          const id = payloadId({ at, transient, random: below => nextRandom(random) % below } as Ctx)
          expect(id).toMatch(/^\d{16,17}$/)
          expect(Number(id)).toBeGreaterThan(last)
          last = Number(id)
        }
      }),
    )
  })

  test('of any form go back as they came, digit for digit', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 39n }).map(String)
    const literal = fc.oneof(
      digits,
      digits.map(text => `"${text}"`),
      digits.map(text => `"${text}n"`),
      fc.stringMatching(/^[\w.:-]{1,64}$/).map(text => `"${text}"`),
    )
    fc.assert(
      fc.property(literal, hex, (id, topic) => {
        const data = `{"topic":"${topic}","message":"AA==","publishedAt":1,"tag":1}`
        const push = parseRelayFrame(
          `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"s","data":${data}}}`,
        )
        expect(push.kind === 'push' && answerTrue(push.echo)).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
        expect(parsePayload(`{"id":${id},"jsonrpc":"2.0","result":true}`).id).toBe(id.replaceAll('"', ''))
      }),
    )
  })
})

test('both ends of any two keys come to one topic', () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), (mine, theirs) => {
      const [ours, other] = [keyPairFrom(mine), keyPairFrom(theirs)]
      expect(topicOf(deriveSymKey(mine, other.publicKey))).toBe(topicOf(deriveSymKey(theirs, ours.publicKey)))
    }),
    { numRuns: 20 },
  )
})

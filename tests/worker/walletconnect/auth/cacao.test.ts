import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromHex } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../../src/runtime/hex.ts'
import { allowed, messageOf, readCacao, readCacaos } from '../../../../src/worker/walletconnect/auth/cacao.ts'
import { personalHash, signerOf } from '../../../../src/worker/walletconnect/auth/ethereum.ts'
import {
  allowedBy,
  methodsRecap,
  readRecap,
  recapIn,
  withAllowed,
} from '../../../../src/worker/walletconnect/auth/recap.ts'
import { signInMessage } from '../../../../src/worker/walletconnect/auth/siwe.ts'
import { recordedCacaos } from '../recordedCacaos.ts'
import { endsWell, faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

const { auth } = vectors
const issuerOf = (iss: string) => {
  const [, , namespace = '', reference = '', address = ''] = iss.split(':')
  return { namespace, reference, address }
}

describe('a sign-in message', () => {
  test.each(auth.messages)('for $iss is written line by line as recorded', ({ request, iss, message }) => {
    expect(signInMessage(request, issuerOf(iss))).toBe(message)
  })

  test('whose statement has a line break is refused in the official words', () => {
    const fields = { ...auth.messages[0]!.request, statement: auth.badStatement.statement }
    expect(faultOf(() => signInMessage(fields, issuerOf(auth.messages[0]!.iss))).message).toBe(
      auth.badStatement.officialError,
    )
  })

  test('never lets a field pass for another line', () => {
    const { request, iss } = auth.messages[3]!
    for (const name of ['domain', 'aud', 'nonce', 'iat', 'exp', 'nbf', 'requestId'] as const)
      expect(faultOf(() => signInMessage({ ...request, [name]: `x\nNonce: 1` }, issuerOf(iss))).code).toBe('bad_input')
    expect(faultOf(() => signInMessage({ ...request, resources: ['https://a\n- b'] }, issuerOf(iss))).code).toBe(
      'bad_input',
    )
  })
})

describe('a ReCap', () => {
  test('of methods is written as recorded, in any order they come', () => {
    expect(methodsRecap(auth.recap.actions)).toBe(auth.recap.encoded)
    expect(methodsRecap([...auth.recap.actions].reverse())).toBe(auth.recap.encoded)
    expect(readRecap(auth.recap.encoded)).toEqual(auth.recap.decoded.att)
  })

  test('that a wallet narrowed says its methods and chains, and reads as the recorded statement', () => {
    const { result } = auth.populate
    const recap = readRecap(recapIn(result.resources) ?? '')
    expect(allowedBy(recap)).toEqual({ methods: ['personal_sign'], chains: ['eip155:1'] })
    expect(withAllowed('Sign in', recap)).toBe(result.statement)
    expect(withAllowed(result.statement ?? '', recap)).toBe(result.statement)
  })

  test('takes in one that the resources had already', () => {
    const other = methodsRecap(['eth_sign'])
    expect(allowedBy(readRecap(methodsRecap(['personal_sign'], other))).methods).toEqual(['eth_sign', 'personal_sign'])
  })

  test('allows as methods only what is to be requested', () => {
    const recap = { eip155: { 'request/personal_sign': [{}], 'read/balance': [{ chains: ['eip155:5'] }] } }
    expect(allowedBy(recap)).toEqual({ methods: ['personal_sign'], chains: [] })
  })

  test('is only ever the last resource', () => {
    expect(recapIn([auth.recap.encoded, 'https://a.example'])).toBeUndefined()
    expect(recapIn([])).toBeUndefined()
  })

  test.each([
    '',
    'e30',
    'eyJhdHQiOnt9fQ',
    'eyJhdHQiOnsiZWlwMTU1Ijp7fX19',
    'eyJhdHQiOnsiZWlwMTU1Ijp7ImEvYiI6W119fX0',
    '***',
  ])('that is misshapen is refused: "%s"', text => {
    expect(faultOf(() => readRecap(`urn:recap:${text}`)).code).toBe('bad_response')
  })

  test('of any methods comes back with the same ones', () => {
    const methods = fc.uniqueArray(fc.stringMatching(/^[a-z][a-zA-Z_]{1,20}$/), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(methods, names => {
        expect(new Set(allowedBy(readRecap(methodsRecap(names))).methods)).toEqual(new Set(names))
      }),
    )
  })
})

describe('a personal signature', () => {
  test('names its signer, for texts beyond ASCII too, whichever way v is written', () => {
    const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).filter(bytes => secp256k1.utils.isValidSecretKey(bytes))
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), key, fc.boolean(), (text, secret, low) => {
        const signed = secp256k1.sign(personalHash(text), secret, { prehash: false, format: 'recovered' })
        const rsv = Uint8Array.of(...signed.slice(1), (signed[0] ?? 0) + (low ? 0 : 27))
        const address = `0x${toHex(keccak_256(secp256k1.getPublicKey(secret, false).slice(1)).slice(12))}`
        expect(signerOf(text, rsv)).toBe(address)
        expect(signerOf(`${text}.`, rsv)).not.toBe(address)
      }),
      { numRuns: 12 },
    )
  })

  test('of another length, or that no key can have made, names nobody', () => {
    for (const bytes of [new Uint8Array(0), new Uint8Array(64), new Uint8Array(65), new Uint8Array(65).fill(255)])
      expect(signerOf('hello', bytes)).toBeUndefined()
  })
})

describe('the recorded signed statements', () => {
  const cacaos = readCacaos(recordedCacaos())

  test('were signed by the account they name', () => {
    expect(cacaos.map(cacao => cacao.issuer.chain)).toEqual(['eip155:1', 'eip155:137'])
    for (const cacao of cacaos)
      expect(signerOf(messageOf(cacao), fromHex(cacao.signature.hex.slice(2)))).toBe(cacao.issuer.address.toLowerCase())
  })

  test('allow both methods on both chains', () => {
    for (const cacao of cacaos)
      expect(allowed(cacao)).toEqual({
        methods: ['eth_sendTransaction', 'personal_sign'],
        chains: ['eip155:1', 'eip155:137'],
      })
  })

  test('with any field of what was signed changed were signed by somebody else', () => {
    const [raw] = recordedCacaos()
    for (const name of ['domain', 'aud', 'nonce', 'iat', 'statement'] as const) {
      const changed = structuredClone(raw!)
      changed.p[name] = `${String(changed.p[name])}x`
      const cacao = readCacao(changed)
      expect(signerOf(messageOf(cacao), fromHex(cacao.signature.hex.slice(2))), name).not.toBe(
        cacao.issuer.address.toLowerCase(),
      )
    }
  })

  const misshapen: [string, (cacao: ReturnType<typeof recordedCacaos>[number]) => void, string][] = [
    ['another kind', cacao => (cacao.h.t = 'jwt'), 'h.t'],
    ['no issuer', cacao => delete cacao.p.iss, 'p.iss'],
    [
      'an Ethereum address on another namespace',
      cacao => (cacao.p.iss = `did:pkh:cosmos:1:0x${'ab'.repeat(20)}`),
      'p.iss',
    ],
    ['an issuer on Solana', cacao => (cacao.p.iss = 'did:pkh:solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:FV'), 'p.iss'],
    ['no domain', cacao => delete cacao.p.domain, 'p.domain'],
    ['no audience', cacao => delete cacao.p.aud, 'p.uri'],
    ['no nonce', cacao => (cacao.p.nonce = ''), 'p.nonce'],
    ['a number for a nonce', cacao => (cacao.p.nonce = 12), 'p.nonce'],
    ['another version', cacao => (cacao.p.version = '2'), 'p.version'],
    ['an end that is no time', cacao => (cacao.p.exp = 'tomorrow'), 'p.exp'],
    ['a beginning that is no time', cacao => (cacao.p.nbf = '2026-01-01'), 'p.nbf'],
    ['resources that are no list', cacao => (cacao.p.resources = 'https://a'), 'p.resources'],
    ['another kind of signature', cacao => (cacao.s.t = 'eip6492'), 's.t'],
    ['a signature that is no hex', cacao => (cacao.s.s = 'signed'), 's.s'],
  ]
  test.each(misshapen)('with %s are refused by the name of the member', (_what, change, member) => {
    const [raw] = recordedCacaos()
    const changed = structuredClone(raw!)
    change(changed)
    const fault = faultOf(() => readCacao(changed))
    expect([fault.code, fault.message]).toEqual(['bad_response', expect.stringContaining(member)])
  })

  test('a list without any, or with too many, is refused', () => {
    for (const list of [undefined, {}, [], Array.from({ length: 101 }, () => recordedCacaos()[0])])
      expect(faultOf(() => readCacaos(list)).code).toBe('bad_response')
  })

  test('whatever comes in their place ends in a fault, never in another error', () => {
    fc.assert(fc.property(fc.jsonValue(), value => void endsWell(() => readCacaos(value))))
    fc.assert(fc.property(fc.jsonValue(), value => void endsWell(() => readCacao({ h: value, p: value, s: value }))))
  })
})

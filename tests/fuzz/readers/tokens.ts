/** Tokens for the relay: signed ones verify, changed ones do not. */
import { createPublicKey, verify } from 'node:crypto'
import { Fault } from '../../../src/runtime/failure.ts'
import { createCurves } from '../../../src/worker/drivers/walletconnect/curves.ts'
import { publicKeyOf } from '../../../src/worker/walletconnect/crypto/clientId.ts'
import { relayJwt } from '../../../src/worker/walletconnect/crypto/jwt.ts'
import { corpus } from '../corpus.ts'
import { changedText } from '../changedText.ts'
import { randomHex } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const curves = createCurves()

/** An input is the seed, `sub`, `iat`, `ttl` and `aud`, separated by blanks. */
export const tokens: Reader = {
  name: 'tokens',
  share: 6,
  make(random) {
    const sub = randomHex(random, 32)
    const aud = random.oneIn(2) ? 'wss://relay.example/?a=é' : random.pick(corpus.uris)
    const [iat, ttl] = [
      random.pick(['0', '-1', '1795226193', '1.5', 'NaN', '1e400']),
      random.pick(['86400', '0', '1', '-5']),
    ]
    return [
      randomHex(random, random.oneIn(12) ? 31 : 32),
      random.oneIn(5) ? changedText(random, sub, 'ABC').replaceAll(' ', '') : sub,
      random.oneIn(2) ? '1795226193' : iat,
      random.oneIn(2) ? '86400' : ttl,
      random.oneIn(2) ? aud : changedText(random, aud, '"\\'),
    ].join(' ')
  },
  async judge(input) {
    const [seed = '', sub = '', iatText = '', ttlText = '', ...rest] = input.split(' ')
    const aud = rest.join(' ')
    const [iat, ttl] = [Number(iatText), Number(ttlText)]
    const bytes = new Uint8Array(Buffer.from(seed, 'hex'))
    const isGood =
      bytes.length === 32 &&
      /^[0-9a-f]{64}$/.test(sub) &&
      Number.isSafeInteger(iat) &&
      iat >= 0 &&
      ttl > 0 &&
      Number.isSafeInteger(ttl)
    const made = await curves
      .signer(bytes)
      .then(signer => relayJwt({ signer, sub, aud, iat, ttl }))
      .catch((fault: unknown) => fault)
    if (made instanceof Fault) return isGood ? wrong(false, 'a token with good claims was not signed') : refused
    if (typeof made !== 'string') throw made
    if (!isGood) return wrong(true, 'a token with claims outside the grammar was signed')
    const [header = '', claims = '', signature = ''] = made.split('.')
    const said = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>
    const expected = JSON.stringify({ iss: said.iss, sub, aud, iat, exp: iat + ttl })
    // A lone surrogate has no UTF-8: the relay reads U+FFFD in its place
    if (JSON.stringify(said) !== expected && Buffer.from(aud).toString() === aud)
      return wrong(true, 'a token says something else')
    if (Buffer.from(header, 'base64url').toString() !== '{"alg":"EdDSA","typ":"JWT"}')
      return wrong(true, 'a token has another header')
    const x = Buffer.from(publicKeyOf(String(said.iss))).toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const isSigned = verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))
    return isSigned ? taken : wrong(true, 'a token’s signature does not fit')
  },
}

/** The key in a client id, which verifies a relay's tokens. */
export const clientIds: Reader = {
  name: 'clientIds',
  share: 14,
  make(random) {
    const claims = JSON.parse(Buffer.from(random.pick(corpus.tokens).split('.')[1] ?? '', 'base64url').toString()) as {
      iss: string
    }
    return random.oneIn(6) ? claims.iss : changedText(random, claims.iss, 'did:key:z6MkzIl0O')
  },
  judge(input, read) {
    const says = keyOf(input)
    const found = read(() => publicKeyOf(input))
    if ('fault' in found) return says ? wrong(false, 'a client id in the grammar was refused') : refused
    if (!says) return wrong(true, 'a client id outside the grammar was accepted')
    return Buffer.from(found.value).equals(says) ? taken : wrong(true, 'a client id was read as another key')
  },
}

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** `did:key:z`, then base58btc of `ed 01` and 32 bytes (§3.2). */
function keyOf(did: string): Buffer | undefined {
  const written = /^did:key:z([1-9A-HJ-NP-Za-km-z]+)$/.exec(did)?.[1]
  if (written === undefined || written.length > 60) return undefined
  let number = 0n
  for (const char of written) number = number * 58n + BigInt(digits.indexOf(char))
  const hex = number.toString(16)
  const zeros = /^1*/.exec(written)?.[0].length ?? 0
  const bytes = Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')])
  return bytes.length === 34 && bytes[0] === 0xed && bytes[1] === 0x01 ? bytes.subarray(2) : undefined
}

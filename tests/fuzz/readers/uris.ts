/** Pairing URIs and links into wallets. */
import { requestLink } from '../../../src/worker/walletconnect/link/deepLink.ts'
import { formatUri, isValidUrl, parseUri, requirePairingUri } from '../../../src/worker/walletconnect/link/uri.ts'
import { corpus } from '../corpus.ts'
import { changedText } from '../changedText.ts'
import { uriOf } from '../grammars/uri.ts'
import { isUnusual, requestLinkOf } from '../grammars/link.ts'
import { type Random, randomHex } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const nowMs = 1_795_226_160_000

function parametersOf(random: Random): string[] {
  const usual = ['relay-protocol=irn', `symKey=${randomHex(random, 32)}`]
  const more = [
    `expiryTimestamp=${Math.floor(nowMs / 1000) + random.below(600) - 100}`,
    'methods=wc_sessionAuthenticate',
    'methods=%5Bwc_a%2Cwc_b%5D%2C%5B%5D',
    'relay-data=%7B%7D',
    'unknown=1',
    'expiryTimestamp=',
    'expiryTimestamp=1e12',
    '&&',
    'symKey',
    'relay-protocol=waku',
    '%73ymKey=00',
    'a=%ff',
    'a=%F0%9F%98%80',
  ]
  const chosen = [...usual, ...more.filter(() => random.oneIn(5))]
  return chosen.filter(() => !random.oneIn(12)).sort(() => random.below(3) - 1)
}

function generated(random: Random): string {
  const scheme = random.pick(['wc:', 'wc:', 'wc:', 'wc://', 'WC:', '', 'https://', 'wc:wc:'])
  const version = random.pick(['@2', '@2', '@2', '@1', '@02', '@2@2', '', '@', '@2.0'])
  return `${scheme}${randomHex(random, random.oneIn(10) ? 31 : 32)}${version}?${parametersOf(random).join('&')}`
}

export const uris: Reader = {
  name: 'uris',
  share: 140,
  make(random) {
    const text = random.oneIn(2) ? generated(random) : random.pick(corpus.uris)
    const changed = random.oneIn(3) ? text : changedText(random, text, random.pick(corpus.uris))
    return random.oneIn(8) ? Buffer.from(changed).toString('base64') : changed
  },
  judge(input, read) {
    const says = uriOf(input, nowMs)
    read(() => parseUri(input))
    read(() => isValidUrl(input))
    const found = read(() => requirePairingUri(input, { nowMs }))
    if ('fault' in found) {
      if (says) return wrong(false, `a URI in the grammar was refused: ${found.fault.message}`)
      const key = /symKey=([0-9a-fA-F]{64})/.exec(input)?.[1]
      return key !== undefined && found.fault.message.includes(key) ? wrong(false, 'a fault repeats a key') : refused
    }
    if (!says) return wrong(true, 'a URI outside the grammar was accepted')
    const { topic, symKey, relay, methods, expiryTimestamp } = found.value
    const same =
      topic === says.topic &&
      symKey === says.symKey &&
      relay.data === says.data &&
      expiryTimestamp === says.expiryTimestamp &&
      JSON.stringify(methods) === JSON.stringify(says.methods)
    if (!same) return wrong(true, 'a URI was read as something else')
    const again = requirePairingUri(formatUri(found.value), { nowMs })
    return JSON.stringify(again) === JSON.stringify(found.value)
      ? taken
      : wrong(true, 'a URI written again says something else')
  },
}

const schemes = [
  'metamask://',
  'https://wallet.example/app',
  'https://t.me/bot',
  'javascript:',
  'data:',
  'Intent:',
  'x:',
  '://',
]

export const links: Reader = {
  name: 'links',
  share: 60,
  make: random =>
    changedText(random, random.oneIn(2) ? random.pick(corpus.links) : random.pick(schemes), random.pick(corpus.uris)),
  judge(input, read) {
    const topic = 'ab'.repeat(32)
    const wanted = requestLinkOf(input, 7, topic)
    const found = read(() => requestLink(input, 7, topic))
    if ('fault' in found)
      return wanted === undefined || isUnusual(input) ? refused : wrong(false, 'a link of a wallet was refused')
    if (wanted === undefined) return wrong(true, 'a link that opens no wallet was accepted')
    return wanted === found.value ? taken : wrong(true, 'a link leads somewhere else')
  },
}

/** Messages generated from the grammar, with any part sometimes at its limits. */
import { hostileLeaf, hostileTree } from './hostileJson.ts'
import { print } from './jsonTree.ts'
import { type Random, randomHex } from './random.ts'

const hostile = (random: Random) => print(random.oneIn(3) ? hostileTree(random, 2) : hostileLeaf(random))
/** Usually the given text, sometimes a hostile one. */
const mostly = (random: Random, usual: string) => (random.oneIn(14) ? hostile(random) : usual)
const text = (random: Random, ...usual: string[]) => mostly(random, JSON.stringify(random.pick(usual)))

function id(random: Random): string {
  const digits = random.pick(['1', '458622619359701', '1795226335321326765', '9007199254740993', '0'])
  return random.oneIn(4) ? `"${digits}${random.oneIn(2) ? 'n' : ''}"` : mostly(random, digits)
}

function object(random: Random, members: readonly [string, string][]): string {
  const kept = members.filter(() => !random.oneIn(25))
  if (random.oneIn(10)) kept.sort(() => random.below(3) - 1)
  return `{${kept.map(([name, value]) => `"${name}":${value}`).join(',')}}`
}

const list = (items: readonly string[]) => `[${items.join(',')}]`

function namespaces(random: Random): string {
  const keys = ['solana', 'eip155', 'eip155:1', 'cosmos', ''].filter(() => random.oneIn(3))
  const account = () => text(random, 'solana:5eyk:9xQe', 'eip155:1:0xab', 'eip155:137:0xAB', 'a:b:c')
  const long = () => `"${'x'.repeat(random.pick([200, 201, 5000]))}"`
  const names = (usual: string[]) =>
    mostly(
      random,
      list(usual.filter(() => random.oneIn(2)).map(one => (random.oneIn(60) ? long() : text(random, one)))),
    )
  const members = keys.map((key): [string, string] => [
    key,
    object(random, [
      ['accounts', mostly(random, list(Array.from({ length: random.below(4) }, account)))],
      ['methods', names(['solana_signTransaction', 'personal_sign'])],
      ['events', names(['accountsChanged', 'chainChanged'])],
      ...(random.oneIn(2) ? [['chains', mostly(random, '["solana:5eyk"]')] satisfies [string, string]] : []),
    ]),
  ])
  return object(random, members)
}

function paramsOf(random: Random, method: string): string {
  switch (method) {
    case 'wc_sessionSettle':
      return object(random, [
        ['relay', mostly(random, '{"protocol":"irn"}')],
        ['namespaces', mostly(random, namespaces(random))],
        ['controller', mostly(random, `{"publicKey":"${randomHex(random, 32)}","metadata":${metadata(random)}}`)],
        [
          'expiry',
          mostly(random, random.pick(['1795830955', '0', '9007199254740', '9007199254740991', '8640000000001'])),
        ],
        ['sessionProperties', mostly(random, '{"capabilities":"{}"}')],
        ['scopedProperties', mostly(random, '{"eip155":{"a":[1,{"b":null}]}}')],
        ['sessionConfig', mostly(random, '{"disableDeepLink":true}')],
      ])
    case 'wc_sessionUpdate':
      return object(random, [['namespaces', mostly(random, namespaces(random))]])
    case 'wc_sessionEvent':
      return object(random, [
        [
          'event',
          mostly(random, `{"name":${text(random, 'accountsChanged', 'chainChanged', 'x')},"data":${hostile(random)}}`),
        ],
        ['chainId', text(random, 'solana:5eyk', 'eip155:1', '')],
      ])
    case 'wc_sessionDelete':
    case 'wc_pairingDelete':
      return mostly(random, '{"code":6000,"message":"User disconnected."}')
    default:
      return mostly(random, '{}')
  }
}

function metadata(random: Random): string {
  return object(random, [
    ['name', text(random, 'Lantern', '<b>x</b>', '\u202e')],
    ['description', text(random, '')],
    ['url', text(random, 'https://lantern.example/a?token=1#x', 'javascript:alert(1)', 'http://[', '')],
    ['icons', mostly(random, list([text(random, 'https://lantern.example/i.png', 'data:,')]))],
  ])
}

const methods = [
  'wc_sessionSettle',
  'wc_sessionSettle',
  'wc_sessionUpdate',
  'wc_sessionEvent',
  'wc_sessionExtend',
  'wc_sessionPing',
  'wc_sessionDelete',
  'wc_pairingDelete',
  'wc_pairingPing',
  'wc_sessionRequest',
  'wc_sessionAuthenticate',
  'wc_nobodys',
  'constructor',
]

/** @returns a payload as a wallet could send it */
export function payloadText(random: Random): string {
  const way = random.below(10)
  const head: [string, string][] = [
    ['id', id(random)],
    ['jsonrpc', mostly(random, '"2.0"')],
  ]
  if (way < 6) {
    const method = random.pick(methods)
    return object(random, [
      ...head,
      ['method', mostly(random, JSON.stringify(method))],
      ['params', paramsOf(random, method)],
    ])
  }
  if (way < 8) return object(random, [...head, ['result', mostly(random, resultText(random))]])
  return object(random, [...head, ['error', mostly(random, errorText(random))]])
}

function resultText(random: Random): string {
  const base58 = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'
  return random.pick([
    'true',
    'null',
    `{"relay":{"protocol":"irn"},"responderPublicKey":"${randomHex(random, random.oneIn(5) ? 31 : 32)}"}`,
    `{"signature":"${base58}"}`,
    `{"signature":"${base58}","transaction":"${Buffer.from(random.bytes(random.below(300))).toString('base64')}"}`,
    JSON.stringify(base58),
    '"0xab"',
    '[{"pubkey":"x"}]',
  ])
}

function errorText(random: Random): string {
  const code = random.pick(['5000', '4001', '-32000', '"5000"', '1.5', '1e300', '6000'])
  return random.pick([
    `{"code":${code},"message":${text(random, 'User rejected.', '')}}`,
    '{}',
    '"User denied"',
    'null',
  ])
}

/** @returns a push as a relay could send it */
export function pushText(random: Random, envelope: string): string {
  const data = object(random, [
    ['topic', mostly(random, `"${randomHex(random, random.oneIn(12) ? 31 : 32)}"`)],
    ['message', mostly(random, JSON.stringify(envelope))],
    ['publishedAt', mostly(random, random.pick(['1795226193000', '0', '9007199254740991', '9007199254740992']))],
    ['tag', mostly(random, random.pick(['1100', '0', '1109']))],
    ['attestation', mostly(random, random.pick(['null', '""', '"a.b.c"']))],
  ])
  const params = object(random, [
    ['id', text(random, 's', randomHex(random, 32))],
    ['data', mostly(random, data)],
  ])
  const method = random.oneIn(8) ? 'irn_subscription2' : 'irn_subscription'
  return object(random, [
    ['id', id(random)],
    ['jsonrpc', mostly(random, '"2.0"')],
    ['method', mostly(random, JSON.stringify(method))],
    ['params', mostly(random, params)],
  ])
}

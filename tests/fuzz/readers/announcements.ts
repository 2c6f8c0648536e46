/** Announcements of wallets by a script, as JSON: `{"!": "throw"}` throws when read, `{"!": "call"}` is a function. */
import { readAnnouncement } from '../../../src/main/drivers/wallets/announced.ts'
import { stills } from '../../main/drivers/pictures/samples.ts'
import { hostileTree } from '../hostileJson.ts'
import { print } from '../jsonTree.ts'
import type { Random } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const call = { '!': 'call' }
const thrown = { '!': 'throw' }
const signs = [...'Quil 1.#:/=<>&"'].concat([
  '\u0000',
  '\n',
  '\u00ad',
  '\u0301',
  '\u200b',
  '\u200f',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u2800',
  '\u3164',
  '\ud800',
  '\ue000',
  '\ufe0f',
  '\ufeff',
  'Ａ',
  '𝐀',
  '🦊',
])
const methods: Record<string, string> = {
  'standard:connect': 'connect',
  'standard:events': 'on',
  'standard:disconnect': 'disconnect',
  'solana:signTransaction': 'signTransaction',
  'solana:signAndSendTransaction': 'signAndSendTransaction',
}

function nameOf(random: Random): Json {
  if (random.oneIn(2)) return `Quill ${random.below(100)}`
  if (random.oneIn(8)) return random.pick(['', 'WalletConnect', '__proto__', 'x'.repeat(65), 'y'.repeat(1e4), 7, null])
  return Array.from({ length: 1 + random.below(20) }, () => random.pick(signs)).join('')
}

function featuresOf(random: Random): Json {
  if (random.oneIn(12)) return random.pick<Json>([null, 'all', [], 7, thrown])
  const listed = Object.entries(methods).filter(() => !random.oneIn(8))
  return Object.fromEntries(
    listed.map(([feature, method]) => {
      const odd = random.pick<Json>([null, thrown, {}, { [method]: thrown }, { [method]: 'call' }])
      return [feature, random.oneIn(20) ? odd : { [method]: call }]
    }),
  )
}

function announcement(random: Random): Json {
  const chain = () => random.pick<Json>(['solana:mainnet', 'solana:devnet', 'eip155:1', 'solana:\u202e', thrown, 7])
  const icon = random.pick<Json>([
    `data:image/png;base64,${random.pick(Object.values(stills))}`,
    'data:image/svg+xml;utf8,<svg/>',
    'javascript:alert(1)',
    7,
    null,
  ])
  return {
    name: nameOf(random),
    icon,
    chains: random.oneIn(12) ? chain() : ['solana:devnet', ...Array.from({ length: random.below(4) }, chain)],
    features: featuresOf(random),
    accounts: [],
    ...(random.oneIn(10) ? { [random.pick(['name', 'icon', 'chains', 'features'])]: thrown } : {}),
  }
}

/** Builds the described wallet. */
function live(given: Json): unknown {
  if (typeof given !== 'object' || given === null) return given
  if (!Array.isArray(given) && given['!'] === 'call') return () => ({ accounts: [] })
  const made: object = Array.isArray(given) ? [] : {}
  for (const [name, value] of Object.entries(given)) {
    const throws = typeof value === 'object' && value !== null && !Array.isArray(value) && value['!'] === 'throw'
    const get = () => {
      throw new Error('seed words')
    }
    Object.defineProperty(made, name, throws ? { get, enumerable: true } : { value: live(value), enumerable: true })
  }
  return made
}

const isCall = (features: Json | undefined, feature: string) => {
  const home = (features as Record<string, Record<string, { '!'?: unknown } | undefined> | undefined> | null)?.[feature]
  return home?.[methods[feature] ?? '']?.['!'] === 'call'
}

/** @returns whether a page must accept it; undefined where both are allowed */
function verdictOf(given: Json): boolean | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false
  const { name, chains, features } = given
  const isWallet =
    isCall(features, 'standard:connect') &&
    isCall(features, 'standard:events') &&
    (isCall(features, 'solana:signTransaction') || isCall(features, 'solana:signAndSendTransaction'))
  if (typeof name !== 'string' || !Array.isArray(chains) || !isWallet) return false
  const isPlain = /^Quill \d+$/.test(name) && chains.every(chain => typeof chain === 'string')
  const oddFeature = JSON.stringify([features, given.icon]).includes('throw')
  return isPlain && !oddFeature && chains.includes('solana:devnet') ? true : undefined
}

const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}{4}| {2}|^ | $/u

export const announcements: Reader = {
  name: 'announcements',
  share: 100,
  make: random => (random.oneIn(10) ? print(hostileTree(random, 4)) : JSON.stringify(announcement(random))),
  judge(input, read) {
    let given: Json
    try {
      given = JSON.parse(input) as Json
    } catch {
      return refused
    }
    const verdict = verdictOf(given)
    const wallet = live(given)
    const found = read(() => readAnnouncement(wallet))
    if (Object.keys(Object.prototype).length > 0) return wrong(false, 'a prototype was reached')
    if ('fault' in found) {
      if (verdict) return wrong(false, `a wallet in the grammar was refused: ${found.fault.message}`)
      return found.fault.message.includes('seed words')
        ? wrong(false, 'a refusal repeats what a wallet threw')
        : refused
    }
    if (verdict === false) return wrong(true, 'a wallet outside the grammar was taken')
    const { name, icon, chains, identity } = found.value
    if (name === '' || name.length > 64 || hidden.test(name))
      return wrong(true, 'a name that hides something was taken')
    if (icon !== undefined && !/^data:image\/(?:png|jpeg|webp|gif|avif);base64,/.test(icon))
      return wrong(true, 'a picture that is none was taken')
    if (!chains.every(chain => /^solana:[-\w]{1,32}$/.test(chain))) return wrong(true, 'a foreign chain was taken')
    return /^[0-9a-f]{16}$/.test(identity) ? taken : wrong(true, 'a wallet has no identity')
  },
}

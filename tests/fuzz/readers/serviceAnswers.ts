/** Answers of the Blockchain API and of the project configuration service. */
import { inputDefinitions } from '../../../src/events/input.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'
import { reasonsOf } from '../../../src/worker/services/blockchain/errorEnvelope.ts'
import { originProblem, readOrigins } from '../../../src/worker/services/project/origins.ts'
import { readAnalyticsSwitch } from '../../../src/worker/services/project/request.ts'
import { readServiceFeatures } from '../../../src/worker/services/project/serviceFeatures.ts'
import { readListing } from '../../../src/worker/services/listing.ts'
import { listedWallets } from '../../stack/services/wallets.ts'
import { examples } from '../../worker/services/blockchain/examples.ts'
import { changedText } from '../changedText.ts'
import { changedJson } from '../hostileJson.ts'
import { partsOf, print, type Tree, treeOf } from '../jsonTree.ts'
import type { Random } from '../random.ts'
import { type Judged, type Reader, refused, taken, wrong } from '../reader.ts'

/** Fields that hold an amount or a price; a list or an object of this name holds none itself. */
const money =
  /^(?:quantity|price|value|amount|allowance|standard|fast|instant|gas|gasPrice|fromAmount|toAmount|min|max)$/
const link = /^(?:url|avatar|\w+Url)$/
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u

/** @returns the reason why a kept value may not reach the page; undefined when it may */
function unfit(value: unknown, name: string, isSaid: (amount: string) => boolean): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 0 && !money.test(name) ? undefined : `a number: ${name}`
  if (typeof value === 'string') {
    if (hidden.test(value)) return `a text that hides or turns: ${name}`
    if (money.test(name)) return isSaid(value) ? undefined : `an amount that the answer does not say: ${name}`
    return link.test(name) && value !== '' && !/^https:\/\/[^/@]+\//.test(value)
      ? `a link that leads elsewhere: ${name}`
      : undefined
  }
  if (typeof value !== 'object') return `a ${typeof value}: ${name}`
  for (const [key, part] of Object.entries(value)) {
    const found = unfit(part, Array.isArray(value) ? name : key, isSaid)
    if (found !== undefined) return found
  }
  return undefined
}

/** @returns a test of decimal text: the answer has it as a text, or as a number that says the same */
function amountsOf(input: string): (amount: string) => boolean {
  let leaves: Tree[] | undefined
  return amount => {
    if (!/^\d+(?:\.\d+)?$/.test(amount)) return false
    leaves ??= partsOf(treeOf(input) ?? { kind: 'array', items: [] })
    return leaves.some(leaf => says(leaf, amount))
  }
}

function says(leaf: Tree, amount: string): boolean {
  if (leaf.kind === 'text') return leaf.value === amount
  if (leaf.kind !== 'number') return false
  const isWhole = /^-?\d+$/.test(leaf.literal)
  return isWhole ? BigInt(leaf.literal).toString() === amount : Number(leaf.literal) === Number(amount)
}

/** A text that says the same as the example must be read as the example; of any other, only fit values may be kept. */
function judgeKept(
  input: string,
  body: string,
  found: { value: unknown } | { fault: Error },
  asExample: string,
): Judged {
  const isSame = input === body
  if ('fault' in found)
    return isSame ? wrong(false, `the reference’s own answer was refused: ${found.fault.message}`) : refused
  if (isSame && JSON.stringify(found.value) !== asExample) return wrong(true, 'an answer was read as something else')
  const reason = unfit(found.value, '', amountsOf(input))
  return reason === undefined ? taken : wrong(true, `an answer was kept with ${reason}`)
}

/** Amounts and links that a reader might take for good ones. */
const tempting = [
  '"1e-999999999"',
  '"1e-7"',
  '1e-7',
  '1e-400',
  '1e400',
  '-0',
  '-1',
  '"-1"',
  '18446744073709551616',
  '"18446744073709551616"',
  '0.1234567890123456789',
  '"٣"',
  '" 1"',
  '"01"',
  '"0x10"',
  '"1,5"',
  '"Infinity"',
  '"https:1"',
  '"https://a@b.example/"',
  '"HTTPS://X.example"',
  '"//x.example"',
  '"0026-05-28T16:59:37Z"',
  '"..\\u002f"',
]

/** @returns the body with one text or number replaced */
function oneReplaced(random: Random, body: string): string {
  const tree = treeOf(body)
  if (!tree) return body
  const leaves = partsOf(tree).filter(part => part.kind === 'text' || part.kind === 'number')
  if (leaves.length > 0) random.pick(leaves).literal = random.pick(tempting)
  return print(tree)
}

/** @param misfit why the log could not hold what was read; undefined when it could */
function reader(
  name: string,
  body: string,
  readText: (text: string) => unknown,
  misfit: (value: unknown) => string | undefined = () => undefined,
): Reader {
  const asExample = JSON.stringify(readText(body))
  return {
    name,
    share: 200,
    make(random) {
      if (random.oneIn(20)) return body
      if (random.oneIn(6)) return oneReplaced(random, body)
      return random.oneIn(4) ? changedText(random, body, body) : changedJson(random, body)
    },
    judge(input, read) {
      const found = read(() => readText(input))
      const reason = 'value' in found ? misfit(found.value) : undefined
      return reason === undefined
        ? judgeKept(input, body, found, asExample)
        : wrong(true, `an answer was kept that no log can hold: ${reason}`)
    },
  }
}

const apiAnswers = Object.entries(examples).map(([name, { body, read }]) =>
  reader(`api/${name}`, body, read, value =>
    misfit(inputDefinitions['service.answered'], { answer: { call: name, ...(value as object) } }),
  ),
)

const features = JSON.stringify({
  features: [
    { id: 'social_login', isEnabled: true, config: ['email', 'google', 'x'] },
    { id: 'swap', isEnabled: true, config: null },
    { id: 'onramp', isEnabled: false, config: [] },
  ],
})
const origins = JSON.stringify({ allowedOrigins: ['https://shop.example', 'https://*.shop.example', 'app://x'] })
const refusal = JSON.stringify({ status: 'FAILED', reasons: [{ field: 'chainId', description: 'Not supported: x' }] })

/** The driver of HTTP answers what is no JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const projectFeatures = reader(
  'project/features',
  features,
  text => readServiceFeatures(parsed(text)),
  value => misfit(inputDefinitions['project.read'], value as Record<string, unknown>),
)

const projectOrigins = reader('project/origins', origins, text => {
  const { allowedOrigins, dropped } = readOrigins(parsed(text))
  return { allowedOrigins, dropped, problem: originProblem(['https://shop.example'], { allowedOrigins }) ?? null }
})

const projectAnalytics = reader('project/analytics', '{"isAnalyticsEnabled":true}', text =>
  readAnalyticsSwitch(parsed(text)),
)

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const wallets = JSON.stringify({
  count: 2,
  data: listedWallets()
    .filter(({ chains }) => chains.includes(solana))
    .slice(0, 2),
})
/** Links of the page have the names of links here; one that opens an app may have any scheme but those that run or read. */
const projectWallets = reader('project/wallets', wallets, text => {
  const found = readListing(parsed(text), { entries: 40 }, { chains: [solana] })
  return {
    count: found.count,
    wallets: found.wallets.map(({ homepage, webappLink, appStore, playStore, chromeStore, ...wallet }) => ({
      ...wallet,
      homepageUrl: homepage ?? '',
      webappUrl: webappLink ?? '',
      appUrl: appStore ?? '',
      playUrl: playStore ?? '',
      chromeUrl: chromeStore ?? '',
      runs: [wallet.mobileLink, wallet.desktopLink].some(one =>
        /^(?:javascript|data|vbscript|blob|file|http):/i.test(one ?? ''),
      )
        ? -1
        : 0,
    })),
  }
})

/** Any text has reasons or none, so none counts as refused. */
const reasons: Reader = {
  ...reader('api/reasons', refusal, reasonsOf),
  judge(input, read) {
    const found = read(() => reasonsOf(input))
    if ('fault' in found) return wrong(false, 'the reasons of a refusal ended in a fault')
    if (found.value.length > 10) return wrong(true, 'more than ten reasons were kept')
    if (found.value.some(({ description }) => description === '' || description.length > 600))
      return wrong(true, 'a reason of no fair length was kept')
    if (found.value.length === 0) return input === refusal ? wrong(false, 'the reference’s reason was lost') : refused
    return judgeKept(input, refusal, found, JSON.stringify(reasonsOf(refusal)))
  },
}

export const serviceAnswers: readonly Reader[] = [
  ...apiAnswers,
  projectFeatures,
  projectOrigins,
  projectAnalytics,
  projectWallets,
  reasons,
]

/** Files a foreign host serves as the operator's, and memos anyone can write on the chain. */
import { checkpointText, readCheckpoint } from '../../../src/events/sale/notices/checkpoint.ts'
import { parseOrderMemo } from '../../../src/events/sale/payments/memo.ts'
import { parseNotice } from '../../../src/events/sale/payments/operatorMemos.ts'
import { noticeListText, readNoticeList } from '../../../src/events/sale/notices/noticeList.ts'
import { readTerms } from '../../../src/events/sale/terms/terms.ts'
import { readAllowlist } from '../../../src/worker/services/allowlist.ts'
import { readContent } from '../../../src/worker/services/content.ts'
import { exampleTermsHash, exampleTermsText } from '../../events/values/exampleTerms.ts'
import { changedText } from '../changedText.ts'
import {
  addressesOf,
  canonicalOf,
  checkpointOf,
  noticeListOf,
  noticeOf,
  orderOf,
  strictTree,
} from '../grammars/published.ts'
import { changedJson } from '../hostileJson.ts'
import { print, type Tree, treeOf } from '../jsonTree.ts'
import { type Random, randomHex } from '../random.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'

const checkpointFile = JSON.stringify({
  format: 'mai-presale-checkpoint/1',
  presale: '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr',
  termsHash: exampleTermsHash,
  slot: 812,
  time: 1798765200,
  balances: { SOL: '625000890880', USDC: '50000000000' },
  raised: '150000000000000000',
  pos: '150000000000000000',
  tokens: '250000000000000000',
  orders: 3,
  buyers: 2,
  refundsOwed: { SOL: '0' },
  ledgerHash: 'a'.repeat(64),
  sig: '1'.repeat(64),
})

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** 64 bytes in base58, almost always. */
const signatureOf = (digit: string) => `5${digit.repeat(87)}`

const noticeListFile = JSON.stringify({
  format: 'mai-presale-notices/1',
  presale: '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr',
  seq: 3,
  time: 1798765200,
  signatures: [signatureOf('1'), signatureOf('2')],
  sig: '1'.repeat(64),
})

const contentFile = JSON.stringify({
  format: 'mai-presale-content/1',
  tokenomics: {
    supply: '3',
    rows: [
      { name: 'Presale', tokens: '2', bps: 6667 },
      { name: 'Team', tokens: '1', bps: 3333 },
    ],
  },
  roadmap: [
    { when: 'Today', title: 'Sale', text: 'It is open.', done: true },
    { when: 'Later', title: 'Launch' },
  ],
  questions: [{ question: 'When?', answer: 'Soon.' }],
  links: [
    { name: 'Terms', path: 'terms.html' },
    { name: 'Site', url: 'https://sale.example/' },
  ],
})

/** The same file with white space and reordered members. */
function respelled(random: Random, file: string): string {
  const tree = treeOf(file)
  const mixed = (one: Tree): Tree =>
    one.kind === 'object' ? { ...one, members: [...one.members].sort(() => (random.oneIn(2) ? 1 : -1)) } : one
  return tree ? print(mixed(tree), () => random.pick(['', '', ' ', '\n'])) : file
}

function changedFile(random: Random, file: string): string {
  const way = random.below(10)
  if (way < 4) return respelled(random, file)
  if (way < 6) return changedText(random, file, random.pick([checkpointFile, exampleTermsText]))
  const once = changedJson(random, file)
  return random.oneIn(3) ? changedJson(random, once) : once
}

export const checkpoints: Reader = {
  name: 'checkpoints',
  share: 40,
  make: random => changedFile(random, checkpointFile),
  judge(input, read) {
    const says = checkpointOf(input)
    const found = read(() => readCheckpoint(input))
    if ('fault' in found)
      return says === undefined
        ? refused
        : wrong(false, `a checkpoint in the grammar was refused: ${found.fault.message}`)
    if (says === undefined) return wrong(true, 'a checkpoint outside the grammar was accepted')
    const { checkpoint, signedText } = found.value
    if (signedText !== `mai1/checkpoint\0${says}`) return wrong(true, 'a checkpoint’s signature is over another text')
    return checkpointText(checkpoint) === signedText ? taken : wrong(true, 'a checkpoint was read as something else')
  },
}

export const noticeLists: Reader = {
  name: 'notice lists',
  share: 30,
  make: random => changedFile(random, noticeListFile),
  judge(input, read) {
    const says = noticeListOf(input)
    const found = read(() => readNoticeList(input))
    if ('fault' in found)
      return says === undefined ? refused : wrong(false, `a list in the grammar was refused: ${found.fault.message}`)
    if (says === undefined) return wrong(true, 'a list outside the grammar was accepted')
    const { list, signedText } = found.value
    if (signedText !== `mai1/notices\0${says}`) return wrong(true, 'a list’s signature is over another text')
    return noticeListText(list) === signedText ? taken : wrong(true, 'a list was read as something else')
  },
}

/** No text may reverse or hide in a line, and every link must be https or relative to the terms. */
export const contents: Reader = {
  name: 'contents',
  share: 20,
  make: random => changedFile(random, contentFile),
  judge(input, read) {
    const found = read(() => readContent(input, 'https://sale.example/v1/terms.json'))
    if ('fault' in found)
      return input === contentFile ? wrong(false, `the content was refused: ${found.fault.message}`) : refused
    const { tokenomics, roadmap = [], questions, links } = found.value
    const texts = [
      ...(tokenomics?.rows.map(({ name }) => name) ?? []),
      tokenomics?.note ?? 'none',
      ...roadmap.flatMap(({ when, title, text = 'none' }) => [when, title, text]),
      ...questions.flatMap(({ question, answer }) => [question, answer]),
      ...links.map(({ name }) => name),
    ]
    if (texts.some(text => text === '' || /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u.test(text)))
      return wrong(true, 'a text that hides or turns was accepted')
    return links.every(({ url }) => /^https:\/\/[^/@]+\//.test(new URL(url).href))
      ? taken
      : wrong(true, 'a link that leads elsewhere was accepted')
  },
}

export const allowlists: Reader = {
  name: 'allowlists',
  share: 20,
  make(random) {
    const address = () =>
      random.oneIn(3)
        ? '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'
        : Array.from({ length: 43 + random.below(2) }, () => random.pick([...base58])).join('')
    const lines = Array.from({ length: random.below(4) }, address)
    const list = lines.join(random.pick(['\n', '\r\n'])) + random.pick(['', '\n'])
    return random.oneIn(2) ? list : changedText(random, list, lines[0] ?? '')
  },
  judge(input, read) {
    const says = addressesOf(input)
    const found = read(() => readAllowlist(input))
    if ('fault' in found) return says === undefined ? refused : wrong(false, 'a list in the grammar was refused')
    if (says === undefined) return wrong(true, 'a list outside the grammar was accepted')
    return JSON.stringify([...found.value]) === JSON.stringify([...new Set(says)])
      ? taken
      : wrong(true, 'a list was read as something else')
  },
}

export const terms: Reader = {
  name: 'terms',
  share: 20,
  make: random => changedFile(random, exampleTermsText),
  judge(input, read) {
    const tree = strictTree(input)
    const says = tree && canonicalOf(tree)
    const found = read(() => readTerms(input))
    if ('fault' in found)
      return says === exampleTerms
        ? wrong(false, `terms in another spelling were refused: ${found.fault.message}`)
        : refused
    if (says === undefined) return wrong(true, 'terms that two readers read in two ways were accepted')
    const { canonical } = found.value
    if (canonical !== says) return wrong(true, 'terms are hashed as another text than they say')
    return readTerms(canonical).canonical === canonical ? taken : wrong(true, 'canonical terms are not canonical')
  },
}
const exampleTerms = (tree => tree && canonicalOf(tree))(treeOf(exampleTermsText))

function memo(random: Random): string {
  const amount = () => String(BigInt(random.below(2 ** 31)) * BigInt(random.below(2 ** 31)))
  const key = random.pick(['', ':6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'])
  const order = `mai1:${randomHex(random, 8)}:${randomHex(random, 8)}:SOL:${amount()}:${amount()}:${amount()}${key}`
  const verb = random.pick(['terms', 'checkpoint', 'ledger', 'plan', 'pause', 'resume', 'close', 'result', 'stop'])
  const argument = random.pick([randomHex(random, 32), '-', 'success', 'failed', ''])
  const text = random.oneIn(2) ? order : `mai1n:${random.below(2000)}:${verb}:${argument}`
  return random.oneIn(2) ? text : changedText(random, text, order)
}

export const memos: Reader = {
  name: 'memos',
  share: 60,
  make: memo,
  judge(input, read) {
    const found = read(() => [parseOrderMemo(input), parseNotice(input)] as const)
    if ('fault' in found) return wrong(false, 'a memo ended in a fault')
    const [order, notice] = found.value
    const parts = order && Object.values(order).map(String)
    if (JSON.stringify(parts) !== JSON.stringify(orderOf(input)))
      return wrong(order !== undefined, 'an order’s memo was read as something else')
    const argument = notice && ('hash' in notice ? notice.hash : 'result' in notice ? notice.result : '-')
    const said = notice && [String(notice.seq), notice.verb, argument]
    if (JSON.stringify(said) !== JSON.stringify(noticeOf(input)))
      return wrong(notice !== undefined, 'a notice was read as something else')
    return order || notice ? taken : refused
  },
}

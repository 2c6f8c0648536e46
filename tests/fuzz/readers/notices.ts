/** The signed list of notices as any host may serve it: its reader, and what a visitor takes for announced because of it. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { encodeBase58 } from '../../../src/events/values/base58.ts'
import { noticeListText, readNoticeList } from '../../../src/events/values/noticeList.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { noticeRef, presaleRef } from '../../../src/worker/chains/solana/references.ts'
import { createRpc } from '../../../src/worker/drivers/rpc.ts'
import { createNoticeReader } from '../../../src/worker/drivers/solanaNotices.ts'
import { createVerify } from '../../../src/worker/drivers/verify.ts'
import { noticeListOf } from '../grammars/published.ts'
import { type Reader, refused, taken, wrong } from '../reader.ts'
import { changedFile } from './published.ts'

const seed = new Uint8Array(32).fill(21)
const keys = Keypair.fromSeed(seed)
const authority = keys.publicKey.toBase58()
const presale = presaleRef(authority, 'fuzzed-sale')
const source = { presaleRef: presale, noticeRef: noticeRef(presale), authority }

/** What the authority said, one notice after the other. */
const said = [`terms:${'a'.repeat(64)}`, 'pause:-', 'resume:-', `checkpoint:${'b'.repeat(64)}`, 'pause:-', 'resume:-']

function noticeOf(words: string, at: number) {
  const transfer = SystemProgram.transfer({ fromPubkey: keys.publicKey, toPubkey: keys.publicKey, lamports: 0 })
  transfer.keys.push({ pubkey: new PublicKey(source.noticeRef), isSigner: false, isWritable: false })
  const data = Buffer.from(`mai1n:${at + 1}:${words}`)
  const memo = new TransactionInstruction({ programId: new PublicKey(programs.memo), keys: [], data })
  const made = new Transaction({ feePayer: keys.publicKey, blockhash: presale, lastValidBlockHeight: 1 })
  made.add(memo, transfer).sign(keys)
  const bytes = made.serialize()
  return { signature: encodeBase58(Uint8Array.from(bytes.subarray(1, 65))), bytes: bytes.toString('base64') }
}
const transactions = said.map(noticeOf)

/** @param places of the notices that are in force when the list is signed */
function listOf(seq: number, places: readonly number[], of = presale): string {
  const signatures = places.map(place => transactions[place]?.signature ?? '')
  const body = { format: 'mai-presale-notices/1', presale: of, seq, time: 1_798_765_200 + seq, signatures } as const
  const text = new TextEncoder().encode(noticeListText(body))
  return JSON.stringify({ ...body, sig: encodeBase58(ed25519.sign(text, seed)) })
}
/** Every list that the authority ever signed for this sale, and one for another sale of its own. */
const lists = [listOf(1, [0]), listOf(2, [0, 1]), listOf(3, [0]), listOf(5, [0, 3, 4]), listOf(6, [0, 3])]

const foreign = listOf(6, [0, 3], presaleRef(authority, 'another-sale'))
const all = [...lists, foreign]

export const noticeLists: Reader = {
  name: 'noticeLists',
  share: 40,
  make: random => changedFile(random, random.pick(all), all),
  judge(input, read) {
    const says = noticeListOf(input)
    const found = read(() => readNoticeList(input))
    if ('fault' in found)
      return says === undefined ? refused : wrong(false, `a list in the grammar was refused: ${found.fault.message}`)
    if (says === undefined) return wrong(true, 'a list outside the grammar was accepted')
    const { list, signedText } = found.value
    if (signedText !== `mai1/notices\0${says.canonical}`) return wrong(true, 'a list’s signature is over another text')
    const isSame = noticeListText(list) === signedText && list.sig === says.sig
    return isSame ? taken : wrong(true, 'a list was read as something else')
  },
}

const verify = createVerify()
const unread = () => Promise.reject(new Error('nobody reads bytes'))

/** A node that has the notices, and hides everything under the reference: only the list can name them. */
function answerTo({ id, method, params }: { id: number; method: string; params: [string] }): object {
  if (method === 'getSignaturesForAddress') return { id, result: [] }
  const place = transactions.findIndex(({ signature }) => signature === params[0])
  const bytes = transactions[place]?.bytes
  const found = { slot: 100 + place, transaction: [bytes, 'base64'], meta: { err: null } }
  return { id, result: bytes === undefined ? null : found }
}

/** @returns what a visitor who has just come takes for announced */
async function announcedBy(served: string): Promise<string> {
  const json = async ({ body = '' }) => {
    const calls = JSON.parse(body)
    return Array.isArray(calls) ? calls.map(answerTo) : answerTo(calls)
  }
  const http = { json, text: async () => served, bytes: unread }
  const rpc = createRpc({ urls: ['http://node.example'], http })
  const reading = createNoticeReader({ listUrl: () => 'http://host.example/notices.json', http, rpc, verify })
  return JSON.stringify(await reading(source))
}

export const servedNotices: Reader = {
  name: 'servedNotices',
  share: 10,
  make: random => changedFile(random, random.pick(all), all),
  async judge(input) {
    const says = noticeListOf(input)
    const signed = says && lists.find(list => JSON.stringify(noticeListOf(list)) === JSON.stringify(says))
    const announced = await announcedBy(input)
    if (announced === (await announcedBy(signed ?? ''))) return signed === undefined ? refused : taken
    return signed === undefined
      ? wrong(true, 'a list that the authority never signed for this sale announces something')
      : wrong(false, 'a list in another spelling announces something else')
  },
}

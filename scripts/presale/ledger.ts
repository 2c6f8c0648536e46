import { Fault } from '../../src/runtime/failure.ts'
import { canonicalJson } from '../../src/runtime/json/canonicalJson.ts'
import type { Json } from '../../src/runtime/json/readJson.ts'
import { checkCheckpoint, type Checkpoint, readCheckpoint } from '../../src/events/sale/notices/checkpoint.ts'
import { decodeBase58 } from '../../src/events/values/solana/base58.ts'
import { safeJson, takeWords, type VerbArguments } from '../../src/main/replay/verb.ts'
import { presaleRef } from '../../src/worker/chains/solana/references.ts'
import { totalsOf } from '../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../src/worker/ledger/ledgerSale.ts'
import type { SaleScan } from '../../src/worker/ledger/saleHistory.ts'
import { noticeHash } from '../../src/worker/services/notices.ts'
import { isSignedBy } from '../../src/worker/services/signatures.ts'
import { openLedgerFile } from './ledgerFile.ts'
import { type Node, openNode } from './node.ts'
import { listSale, readLedger, type ReadSale, verify } from './readLedger.ts'
import { saleIn, slotIn, textOf, urlIn } from './saleFiles.ts'
import { totalsJson, totalsText } from './totalsText.ts'
import { type PresaleIo, type PresaleVerb, saleOptions } from './verb.ts'

/** `npm run presale -- ledger` */
export const ledger: PresaleVerb = {
  takes: '--terms FILE --rpc URL',
  summary: 'judges every payment on the chain and writes the ledger, one JSON row a line',
  about: `Reads the sale's whole history up to the newest final slot, judges each payment by the terms, and writes the ledger to the
standard output or a file; totals go to the other one of standard output and standard error. Nothing is written unless the
balances prove that no transaction is missing or invented. Anyone who runs this gets the same bytes.

A row's "index" counts the sale's transactions in its slot, from 0; "h" is sha256 over the hash before it and the canonical row
without "h"; the first row follows the hash of version 1 of the terms.`,
  examples: [
    '--terms published/terms.json --rpc https://api.mainnet-beta.solana.com --out ledger.jsonl',
    '--terms published/terms.json --rpc http://127.0.0.1:8899 | tail -1',
    '--terms published/terms-1.json --terms published/terms-2.json --rpc URL --rpc2 URL --checkpoint checkpoint.json --json --out ledger.jsonl',
  ],
  options: {
    ...saleOptions,
    rpc2: { value: 'URL', about: 'a second node: its signatures and its ledger must be the same' },
    slot: { value: 'N', about: 'the last slot with rows, a final one; the proof goes on to the newest' },
    checkpoint: { value: 'FILE', about: 'a signed checkpoint, compared with the ledger at its slot' },
    out: { value: 'FILE', about: 'writes the rows to a file' },
  },
  async run(asked, io) {
    takeWords(asked, [])
    const sale = saleIn(asked)
    const given = asked.values.checkpoint?.[0]
    const checkpoint = given === undefined ? undefined : readCheckpoint(textOf(given)).checkpoint
    const nodes = [urlIn(asked), ...(asked.values.rpc2 ?? [])].map(url => openNode(url, io))
    const scans: SaleScan[] = []
    for (const node of nodes) scans.push(await listSale(node, sale, io))
    const until = checkpoint?.slot ?? slotIn(asked) ?? Math.min(...scans.map(({ slot }) => slot))
    const file = openLedgerFile(asked.values.out?.[0], io)
    try {
      const [first, second] = nodes as [Node, Node?]
      const onRows = (rows: Parameters<typeof file.add>[0]) => file.add(rows)
      const read = await readLedger(first, sale, scans[0] as SaleScan, { io, until, onRows })
      const differences = [
        ...(second ? await secondDiffers(second, sale, scans as [SaleScan, SaleScan], read, io) : []),
        ...(checkpoint ? await checkpointDiffers(checkpoint, sale, read) : []),
      ]
      await file.finish()
      const compared = [...(second ? [second.host] : []), ...(given === undefined ? [] : [given])]
      tell(sale, read, { compared, differences }, asked, io)
      return differences.length > 0 ? 1 : 0
    } finally {
      file.drop()
    }
  },
}

/** `compared`: names of the sources beside the first node. */
type Comparison = { compared: string[]; differences: string[] }

function tell(
  sale: LedgerSale,
  read: ReadSale,
  { compared, differences }: Comparison,
  asked: VerbArguments,
  io: PresaleIo,
): void {
  const side = asked.values.out ? io.out : io.err
  if (asked.flags.has('json')) {
    side.write(`${safeJson({ ...totalsJson(sale, read), compared, differences })}\n`)
    return
  }
  const equal = compared.length > 0 && differences.length === 0 ? `  equal to      ${compared.join(', ')}\n` : ''
  side.write(totalsText(sale, read) + equal + differences.map(one => `  ! ${one}\n`).join(''))
}

/** @returns a sentence for each difference of the second node's signatures and ledger */
async function secondDiffers(
  node: Node,
  sale: LedgerSale,
  [first, second]: [SaleScan, SaleScan],
  read: ReadSale,
  io: PresaleIo,
): Promise<string[]> {
  const signatures = ({ lines }: SaleScan) =>
    new Set(lines.filter(({ slot }) => slot <= read.slot).map(({ signature }) => signature))
  const [here, there] = [signatures(first), signatures(second)]
  const missing = [...here].filter(signature => !there.has(signature))
  const more = [...there].filter(signature => !here.has(signature))
  const other = await readLedger(node, sale, second, { io, until: read.slot })
  const hashes = [read, other].map(({ state, seconds }) => totalsOf(sale, state, seconds).ledgerHash)
  return [
    ...missing.map(signature => `${node.host} lacks ${signature}`),
    ...more.map(signature => `${node.host} alone has ${signature}`),
    ...(hashes[0] === hashes[1] ? [] : [`${node.host} leads to ledger hash ${hashes[1]}`]),
  ]
}

/** @returns a sentence for each number of a checkpoint that the ledger does not have */
async function checkpointDiffers(checkpoint: Checkpoint, sale: LedgerSale, read: ReadSale): Promise<string[]> {
  const { terms } = sale.first
  const presale = presaleRef(terms.authority, terms.id)
  checkCheckpoint(checkpoint, { terms, presale, publishedTerms: [...read.state.announced] })
  const { signedText } = readCheckpoint(canonicalJson(checkpoint as unknown as Json))
  const signature = decodeBase58(checkpoint.sig)
  const isSigned = await isSignedBy(terms.authority, new TextEncoder().encode(signedText), signature, verify)
  if (!isSigned) throw new Fault('bad_response', 'a checkpoint expected the signature of the sale’s authority')
  const { raised, pos, tokens, orders, buyers, refundsOwed, ledgerHash } = totalsOf(sale, read.state, read.seconds)
  const amounts = (record: Readonly<Record<string, unknown>>) =>
    Object.entries(record)
      .filter(([, units]) => String(units) !== '0')
      .map(([asset, units]) => `${units} ${asset}`)
      .sort()
      .join(', ')
  const pairs: [string, unknown, unknown][] = [
    ['raised', checkpoint.raised, raised],
    ['pos', checkpoint.pos, pos],
    ['tokens', checkpoint.tokens, tokens],
    ['orders', checkpoint.orders, orders],
    ['buyers', checkpoint.buyers, buyers],
    ['ledgerHash', checkpoint.ledgerHash, ledgerHash],
    ['refundsOwed', amounts(checkpoint.refundsOwed), amounts(refundsOwed)],
    ['balances', amounts(checkpoint.balances), amounts(Object.fromEntries(read.balances))],
  ]
  return pairs
    .filter(([, said, found]) => String(said) !== String(found))
    .map(([name, said, found]) => `checkpoint ${noticeHash(checkpoint)} says ${name} ${said}, the ledger has ${found}`)
}

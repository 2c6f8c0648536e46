import type { Verify } from '../../services/signatures.ts'
import type { BytesStore } from '../bytes.ts'
import type { InputOf } from '../drive.ts'
import type { Answer, Drive } from '../../../runtime/host/driver.ts'
import { driveLater } from '../../../runtime/host/driveLater.ts'
import { later } from '../../../runtime/later.ts'
import { createOrderAges } from './order/orderAges.ts'
import { createRpc } from './rpc.ts'
import { loadBuyer, loadInsertion, type LoadPrepare, loadPrepare, loadPrepareSend, loadReader } from './orderParts.ts'
import { createSaleDriver } from './sale/sale.ts'
import type { OwnSale } from './sale/terms.ts'
import type { RequestTransport } from '../transport/transport.ts'
import { createVerify } from '../walletconnect/verify.ts'

/** Access to the chain: `rpcUrls` in order of failover; in a proof all of them must agree. */
export type SolanaPorts = {
  rpcUrls: readonly string[]
  /** how calls share a request; default: those of one turn, at most 1000 */
  batch?: { waitMs?: number; most?: number }
  /** absolute; `checkpoint.json` and `notices.json` are beside it */
  termsUrl: string
  /** the page's sale; absent: no terms are read */
  sale?: OwnSale & { socketUrl?: string }
  http: RequestTransport
  bytes: BytesStore
  now(): number
  /** monotonic time, ms; default the worker's own */
  passed?(): number
  /** takes news of a node's socket, and a ledger's progress */
  emit?(input: Answer): void
  /** default: the browser's own */
  verify?: Verify
  /** loads the module that prepares orders; default its own chunk */
  loadPrepare?: LoadPrepare
}

const loadTerms = () => import('./sale/terms.ts').then(part => part.createTermsDriver)
const loadNodeSocket = () => import('./nodeSocket.ts').then(part => part.createNodeSocket)
const loadLedger = () => import('./sale/ledger.ts').then(part => part.createLedgerDriver)
const loadFeed = () => import('./sale/feed.ts').then(part => part.createFeedDriver)
const loadDocuments = () => import('./sale/saleDocuments.ts').then(part => part.createDocumentsDriver)

/** @returns drivers of every `chain.*` and `sale.*` effect, by the effect's type */
export function createSolanaDriver(ports: SolanaPorts): { [type: string]: Drive } {
  const { rpcUrls, termsUrl, sale, http, bytes, verify = createVerify() } = ports
  /** genesis hash of the terms' chain, once read, and the latest read of the terms */
  let named: string | undefined
  let readingTerms: Promise<void> | undefined
  const expected = async () => {
    await readingTerms
    return named
  }
  const rpc = createRpc({ urls: rpcUrls, http, expected, ...(ports.batch && { batch: ports.batch }) })
  const ages = createOrderAges(ports.passed ?? (() => performance.now()))
  const load = ports.loadPrepare ?? loadPrepare
  const prepare = later('building a transaction', async () => {
    const [create, { readPrepared }] = await Promise.all([load(), loadReader()])
    return { 'chain.prepareOrder': readPrepared(create({ rpc, bytes })['chain.prepareOrder'], bytes) }
  })
  const prepareSend = later('building a transfer', async () => {
    const [create, { readPreparedSend }] = await Promise.all([loadPrepareSend(), loadReader()])
    return { 'chain.prepareSend': readPreparedSend(create({ rpc, bytes })['chain.prepareSend'], bytes) }
  })
  const insertion = later('inserting a signature', async () => (await loadInsertion())({ store: bytes, verify }))
  const terms = later('reading the terms', async () =>
    (await loadTerms())({ termsUrl, ...(sale && { sale }), http, rpc, verify }),
  )
  const documents = later('reading the sale documents', async () => (await loadDocuments())({ termsUrl, http }))
  const feed = later('reading the newest payments', async () => (await loadFeed())({ rpc }))
  const { emit = () => undefined } = ports
  const ledger = later('recomputing the ledger', async () =>
    (await loadLedger())({ termsUrl, http, rpc, verify, emit }),
  )
  const steer = driveLater('ledger.steer', ledger)
  const buyer = later('following an order', async () =>
    (await loadBuyer())({ rpc, bytes, verify, ages, http, termsUrl }),
  )
  const nodeSocket = later('listening to a node', async () => ({
    'node.listen': (await loadNodeSocket())({
      urls: rpcUrls,
      socketUrl: sale?.socketUrl,
      now: ports.now,
      emit,
    }),
  }))
  const listen = driveLater('node.listen', nodeSocket)
  const readTerms = driveLater('chain.readTerms', terms)
  /** An order's age counts from its build. */
  const aged =
    (build: Drive): Drive =>
    (effect, answer) =>
      build(effect, built => {
        if (built.type !== 'effect.failed') ages.begin((effect.data as { orderId: string }).orderId)
        answer(built)
      })
  return {
    ...createSaleDriver({ rpc }),
    'chain.readTerms': (effect, answer) => {
      readingTerms = readTerms(effect, read => {
        if (read.type === 'chain.terms') named = (read.data as InputOf<'chain.terms'>).terms.cluster.genesisHash
        answer(read)
      })
      return readingTerms
    },
    'chain.readNotices': driveLater('chain.readNotices', terms),
    'chain.readFeed': driveLater('chain.readFeed', feed),
    'sale.readLegal': driveLater('sale.readLegal', documents),
    'sale.readAccess': driveLater('sale.readAccess', documents),
    'sale.readContent': driveLater('sale.readContent', documents),
    'ledger.compute': driveLater('ledger.compute', ledger),
    // Nothing is computed before its file is there
    'ledger.steer': async (effect, answer) => {
      if (ledger.begun()) await steer(effect, answer)
    },
    'chain.prepareOrder': aged(driveLater('chain.prepareOrder', prepare)),
    'chain.prepareSend': aged(driveLater('chain.prepareSend', prepareSend)),
    'chain.insertSignature': driveLater('chain.insertSignature', insertion),
    'chain.submit': driveLater('chain.submit', buyer),
    'chain.watch': driveLater('chain.watch', buyer),
    'chain.readPurchases': driveLater('chain.readPurchases', buyer),
    'chain.watchInvoice': driveLater('chain.watchInvoice', buyer),
    // Nothing is open before its file is there
    'node.listen': async (effect, answer) => {
      if (effect.data.to.length > 0 || nodeSocket.begun()) await listen(effect, answer)
    },
  }
}

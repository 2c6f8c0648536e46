/**
 * Everything around the core in a worker: the lock, the journal, the drivers, the pages. It carries, the core decides.
 * Opened idempotently: a second `begin` in the same worker changes nothing.
 */
import { emptyCoreModel } from '../events/app.ts'
import { commandDefinitions } from '../events/command.ts'
import { encode } from '../events/codec.ts'
import { pageFactDefinitions } from '../events/definitions.ts'
import { Fault, toFailure } from '../events/failure.ts'
import type { PageRecord } from '../events/record.ts'
import { writeRecording } from '../events/recording.ts'
import { type Definitions, misfit } from '../events/registry.ts'
import { registryHash } from '../events/registryHash.ts'
import { openOrder } from '../events/subjects/order.ts'
import type { Attached, Core, CoreConfig, PageAnswer, PageHello, Standing } from '../events/wire.ts'
import { createCore } from './core.ts'
import { deciders } from './deciders/index.ts'
import { createDispatcher } from './dispatcher.ts'
import type { BytesStore } from './drivers/bytes.ts'
import type { Drive } from './drivers/drive.ts'
import { createHttp } from './drivers/http.ts'
import { sweepKeys } from './drivers/keys.ts'
import { createInsertion } from './drivers/insertion.ts'
import { driveLater, later } from './drivers/later.ts'
import { readSigned } from './drivers/signed.ts'
import { createSolanaDriver, loadOrderParts } from './drivers/solana.ts'
import { eraseLog, rememberChain, rememberedChain } from './drivers/storage.ts'
import { createTimerDriver } from './drivers/timer.ts'
import { createVerify } from './drivers/verify.ts'
import { createWalletConnect, type WalletConnect } from './drivers/walletConnect.ts'
import { createInbox, type Draft, type Inbox } from './inbox.ts'
import type { Journal } from './journal.ts'
import { openRecord } from './openRecord.ts'
import { createPages } from './pages.ts'
import type { Verify } from './services/signatures.ts'
import { sha256Hex } from './drivers/digest.ts'

const lockName = 'mai-core'
/** How long a fresh worker waits for a lock that a dying one may still hold, ms. */
const lockMs = { start: 1000, lost: 5000 }
const identifyMs = 4000
const openMs = 40_000

type Running = {
  life: number
  inbox: Inbox
  journal: Journal
  walletConnect: WalletConnect
  verify: Verify
  bytes: BytesStore
  core: ReturnType<typeof createCore>
  pages: ReturnType<typeof createPages>
  genesisHash: string
  stop(): void
}

export type ShellPorts = {
  now?: () => number
  locks?: Pick<LockManager, 'request'>
  /** Tells the page that this worker is of no use any more. */
  die?: (cause: unknown) => void
}

/** @returns the core's whole interface, to be exposed to a page */
export function createShell(ports: ShellPorts = {}): Core {
  const { now = Date.now, locks = navigator.locks, die = cause => reportError(cause) } = ports
  let config: CoreConfig | undefined
  let hello: PageHello | undefined
  let cause: 'start' | 'lost' = 'start'
  let standing: Promise<Standing> | undefined
  let leading: Promise<void> | undefined
  let running: Running | undefined
  let release: (() => void) | undefined

  /** Takes the origin's lock and keeps it until this worker ends. */
  function lock(waitMs: number | undefined): Promise<boolean> {
    return new Promise(resolve => {
      const signal = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs)
      const hold = () =>
        new Promise<void>(done => {
          release = done
          resolve(true)
        })
      locks.request(lockName, signal ? { signal } : {}, hold).catch(() => resolve(false))
    })
  }

  function here(): Running {
    if (!running) throw new Fault('core_lost', 'a call expected the core to have begun, it has not')
    return running
  }

  async function identify(rpcUrl: string): Promise<string> {
    const http = createHttp({ now, timeoutMs: identifyMs })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash', params: [] })
    const answer = (await http.json({ url: rpcUrl, body, what: 'the Solana RPC', retries: 0 })) as {
      result?: unknown
    } | null
    return typeof answer?.result === 'string' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(answer.result)
      ? answer.result
      : ''
  }

  /** The chain this log belongs to: as remembered, else asked once, else not known yet. */
  async function chainOf(rpcUrl: string): Promise<string> {
    const remembered = await rememberedChain(rpcUrl)
    if (remembered !== undefined) return remembered
    const genesisHash = await identify(rpcUrl).catch(() => '')
    // One that cannot be remembered is asked for again next time
    if (genesisHash !== '') await rememberChain(rpcUrl, genesisHash).catch(() => undefined)
    return genesisHash
  }

  async function open(settings: CoreConfig, page: PageHello): Promise<Running> {
    const known = await chainOf(settings.solanaRpcUrl).catch(() => undefined)
    const genesisHash = known ?? ''
    const record = await openRecord(known, message => heard({ type: 'core.storageFailed', data: { message } }))
    const { journal, keys, bytes, life } = record
    const core = createCore(deciders, emptyCoreModel())
    for (const fact of record.facts) core.recall(fact)
    const verify = createVerify()
    const http = createHttp({ now })
    const timers = createTimerDriver(now)
    const pages = createPages({ bytes, left: tab => heard({ type: 'page.left', data: {}, tab }) })
    // The relay's driver tells by the throw that a frame did not fit
    const emit = (input: Draft) => inbox.take(input)
    const walletConnect = createWalletConnect({ keys, bytes, verify, now, emit, online: () => navigator.onLine })
    const directory = later('reading the wallet directory', async () => {
      const { createDirectoryDriver } = await import('./drivers/directory.ts')
      return createDirectoryDriver({ apiUrl: settings.apiUrl, projectId: settings.projectId, http })
    })
    const drivers: { [type: string]: Drive } = {
      ...timers.drivers,
      ...walletConnect.drivers,
      ...createSolanaDriver({
        rpcUrl: settings.solanaRpcUrl,
        termsUrl: settings.termsUrl,
        http,
        bytes,
        now,
        verify,
      }),
      'directory.read': driveLater('directory.read', directory),
      ...createInsertion({ store: bytes, verify }),
      'core.relocate': async ({ data }) => {
        await rememberChain(settings.solanaRpcUrl, data.genesisHash)
        pages.restart()
      },
    }

    const dispatch = createDispatcher({
      drivers,
      page: pages.drive,
      journal,
      answer: heard,
    })
    const inbox = createInbox({
      core,
      journal,
      life,
      now,
      stepped({ input, facts, effects }) {
        pages.publish(facts, input.ref !== undefined)
        dispatch(effects)
      },
      broke(cause) {
        timers.stop()
        // What came before it is whole and is kept; then this worker ends as if it had been killed
        void journal
          .flush('relaxed')
          .catch(() => undefined)
          .finally(() => die(cause))
      },
    })

    /** Takes what a driver or the shell itself has to say. What does not fit is told as a failure, never thrown back. */
    function heard(draft: Draft): void {
      try {
        inbox.take(draft)
      } catch (fault) {
        const failure = toFailure(fault)
        console.error(`${draft.type} was not taken: ${failure.message}`)
        if (failure.code !== 'bad_input' || draft.type === 'effect.failed') return
        const to = draft.to === undefined ? {} : { to: draft.to }
        heard({ type: 'effect.failed', data: { failure: { code: 'bad_response', message: failure.message } }, ...to })
      }
    }

    function stop(): void {
      inbox.stop()
      timers.stop()
      void drivers['relay.close']?.({ id: '', data: {} }, () => undefined)
      journal.close()
    }

    const kept = keptKeys(core)
    if (kept.topics.size > 0) walletConnect.prepare()
    // Keys that nothing names any more do no harm until the next start
    await sweepKeys(keys, kept).catch(() => undefined)
    inbox.take({
      type: 'core.boot',
      data: {
        life,
        build: settings.coreBuild,
        seed: randomSeed(),
        cause,
        storage: journal.storage,
        language: page.language,
        timeZone: page.timeZone,
        online: page.online,
        projectId: settings.projectId,
        relayUrl: settings.relayUrls[0] ?? '',
        relays: settings.relayUrls,
        genesisHash,
        featured: settings.featured,
        metadata: settings.metadata,
      },
    })
    return { life, inbox, journal, walletConnect, verify, bytes, core, pages, genesisHash, stop }
  }

  return {
    begin(settings, page, why) {
      standing ??= (async () => {
        config = settings
        hello = page
        cause = why
        return (await lock(lockMs[why])) ? 'leading' : 'elsewhere'
      })()
      return standing
    },

    lead() {
      leading ??= (async () => {
        const held = (await standing) === 'leading' || (await lock(undefined))
        if (!held) throw new Fault('core_lost', 'leading expected the lock of this page, the browser refused it')
        if (!config || !hello) throw new Fault('core_lost', 'leading expected begin to come first')
        running = await withinTime(open(config, hello))
      })()
      return leading
    },

    async attach(page, port): Promise<Attached> {
      const { core, inbox, pages, life } = here()
      const attached = { life, seq: core.seq, model: structuredClone(core.model) }
      pages.join(page.tab, port)
      const { visible, online, asking, answered, tab } = page
      inbox.take({ type: 'page.attached', data: { visible, asking, answered }, tab })
      // It may have changed while no core was there to hear of it
      if (online !== core.model.network.online) inbox.take({ type: 'page.online', data: { online }, tab })
      return attached
    },

    async command(command, ref, tab) {
      const { inbox, journal } = here()
      if (!Object.hasOwn(commandDefinitions, command.type))
        throw new Fault('bad_input', `a command expected a known type, got ${String(command.type).slice(0, 60)}`)
      inbox.take({ type: command.type, data: command.data, ref, tab })
      // Acknowledged means kept: a press that dies with the worker is told to the person. A disk that refuses is a fact
      await journal.flush('relaxed').catch(() => undefined)
    },

    async answer(effectId, answer, tab) {
      const { inbox, journal, bytes, verify } = here()
      const to = answer.type === 'wallet.changed' ? {} : { to: effectId }
      const input = await answerInput(answer, { store: bytes, verify })
      try {
        inbox.take({ ...input, ...to, tab })
      } catch (cause) {
        // A wallet's nonsense is an answer too: else the question would stay open, and the page would repeat it for ever
        const { code, message } = toFailure(cause)
        if (code !== 'bad_input') throw cause
        if (answer.type !== 'wallet.changed')
          inbox.take({ type: 'wallet.failed', data: { failure: { code: 'bad_response', message } }, ...to, tab })
      }
      await journal.flush('strict')
    },

    async pageFacts(records) {
      const { journal } = here()
      journal.append(records.map(readable), journal.head())
      await journal.flush('relaxed')
    },

    async lifecycle({ visible, online, resumed }, tab) {
      const { inbox } = here()
      if (visible !== undefined) inbox.take({ type: 'page.visible', data: { visible }, tab })
      if (online !== undefined) inbox.take({ type: 'page.online', data: { online }, tab })
      if (resumed) inbox.take({ type: 'page.resumed', data: {}, tab })
    },

    async pairingUri(pairingTopic) {
      return here().walletConnect.pairingUri(pairingTopic)
    },

    async recording(tail) {
      const { journal, genesisHash } = here()
      const lines = [...(await journal.lines()), ...tail.map(readable)]
      const header = {
        format: 'mai-recording' as const,
        version: 1 as const,
        logId: `log-${(await sha256Hex(genesisHash)).slice(0, 16)}`,
        appBuild: config?.appBuild ?? '',
        coreBuild: config?.coreBuild ?? '',
        registryHash: registryHash(),
        startedAt: Math.floor(now()),
        redaction: 'plain' as const,
      }
      return writeRecording({ header, lines }, sha256Hex)
    },

    async erase() {
      const { core, genesisHash, stop } = here()
      if (openOrder(core.model)) return false
      stop()
      running = undefined
      await eraseLog(genesisHash)
      release?.()
      return true
    },

    async ready() {
      // Checking anything brings what checks the signed transaction later, in browsers that need ours for it
      const check = running?.verify(new Uint8Array(64), new Uint8Array(), new Uint8Array(32))
      return Promise.all([loadOrderParts(), check]).then(
        () => true,
        () => false,
      )
    },

    async ping() {
      return running?.life ?? 0
    },
  }
}

/** A page's line as it goes into the log. One that does not fit keeps its number and says nothing. */
function readable(record: PageRecord): string {
  const definition = Object.hasOwn(pageFactDefinitions, record.type)
    ? (pageFactDefinitions as Definitions)[record.type]
    : undefined
  if (definition && misfit(definition, record.data) === undefined) return encode(record)
  return encode({ ...record, type: 'page.unreadable', data: {} })
}

/** Opening has a deadline of its own on each way out; this one is for a wait that nobody foresaw. */
async function withinTime<T>(opening: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `the core expected to open within ${openMs / 1000} s, it did not`
    timer = setTimeout(() => reject(new Fault('timeout', message)), openMs)
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}

function keptKeys({ model }: { model: ReturnType<typeof emptyCoreModel> }) {
  const outgoing = Object.values(model.outbox)
  const topics = new Set([...Object.keys(model.session), ...outgoing.map(message => message.topic)])
  for (const pairing of Object.values(model.pairing.open)) {
    topics.add(pairing.pairingTopic)
    if (pairing.phase === 'answered') topics.add(pairing.sessionTopic)
  }
  return { topics, refs: new Set(outgoing.map(message => message.messageRef)) }
}

/** A page driver's answer as an input: what a wallet signed is checked and kept here, its fields go on. */
async function answerInput(
  answer: PageAnswer,
  means: { store: BytesStore; verify: Verify },
): Promise<{ type: string; data: Record<string, unknown> }> {
  if (answer.type !== 'wallet.signed') {
    const { type, ...data } = answer
    return { type, data }
  }
  try {
    return { type: 'wallet.signed', data: await readSigned(answer.bytes, means) }
  } catch (fault) {
    return { type: 'wallet.failed', data: { failure: toFailure(fault) } }
  }
}

function randomSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Everything around the core in a worker: the lock, the journal, the drivers, the pages. It carries, the core decides.
 * Opened idempotently: a second `begin` in the same worker changes nothing.
 */
import { emptyCoreModel } from '../events/app.ts'
import { encode } from '../events/codec.ts'
import { pageFactDefinitions } from '../events/definitions.ts'
import { Fault, toFailure } from '../events/failure.ts'
import type { PageRecord } from '../events/record.ts'
import { writeRecording } from '../events/recording.ts'
import { type Definitions, misfit } from '../events/registry.ts'
import { registryHash } from '../events/registryHash.ts'
import { openOrder } from '../events/subjects/order.ts'
import type { Attached, Core, CoreConfig, PageAnswer, PageHello, Standing } from '../events/wire.ts'
import { bytesOfBase58, withSignature } from './chains/solana/wire.ts'
import { createCore } from './core.ts'
import { deciders } from './deciders/index.ts'
import { createDispatcher } from './dispatcher.ts'
import type { BytesStore } from './drivers/bytes.ts'
import { createDirectoryDriver } from './drivers/directory.ts'
import type { Drive } from './drivers/drive.ts'
import { createHttp } from './drivers/http.ts'
import { sweepKeys } from './drivers/keys.ts'
import { readSigned } from './drivers/signed.ts'
import { createSolanaDriver, loadPrepare } from './drivers/solana.ts'
import { eraseLog, rememberChain, rememberedChain } from './drivers/storage.ts'
import { createTimerDriver } from './drivers/timer.ts'
import { createVerify } from './drivers/verify.ts'
import { createWalletConnect, type WalletConnect } from './drivers/walletConnect.ts'
import { createInbox, type Inbox } from './inbox.ts'
import type { Journal } from './journal.ts'
import { openRecord } from './openRecord.ts'
import { createPages } from './pages.ts'
import type { Verify } from './services/signatures.ts'
import { sha256Hex } from './drivers/digest.ts'

const lockName = 'mai-core'
/** How long a fresh worker waits for a lock that a dying one may still hold, ms. */
const lockMs = { start: 1000, lost: 5000 }
const identifyMs = 4000

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

export type ShellPorts = { now?: () => number; locks?: Pick<LockManager, 'request'> }

/** @returns the core's whole interface, to be exposed to a page */
export function createShell({ now = Date.now, locks = navigator.locks }: ShellPorts = {}): Core {
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
    if (genesisHash !== '') await rememberChain(rpcUrl, genesisHash)
    return genesisHash
  }

  async function open(settings: CoreConfig, page: PageHello): Promise<Running> {
    let stop = () => {}
    let unheard: string | undefined
    const genesisHash = await chainOf(settings.solanaRpcUrl).catch(() => undefined)
    const record = await openRecord(genesisHash, message => {
      if (running) running.inbox.take({ type: 'core.storageFailed', data: { message } })
      else unheard = message
    })
    const { journal, keys, bytes, life } = record
    const core = createCore(deciders, emptyCoreModel())
    for (const fact of record.facts) core.recall(fact)
    const verify = createVerify()
    const http = createHttp({ now })
    const timers = createTimerDriver(now)
    const pages = createPages({ bytes, left: tab => inbox.take({ type: 'page.left', data: {}, tab }) })
    const emit = (input: { type: string; data: Record<string, unknown> }) => inbox.take(input)
    const walletConnect = createWalletConnect({ keys, bytes, verify, now, emit, online: () => navigator.onLine })
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
      ...createDirectoryDriver({ apiUrl: settings.apiUrl, projectId: settings.projectId, http }),
      'chain.insertSignature': createInsertion({ store: bytes, verify }),
      'core.relocate': async ({ data }) => {
        await rememberChain(settings.solanaRpcUrl, data.genesisHash)
        pages.restart()
      },
    }

    const dispatch = createDispatcher({
      drivers,
      page: pages.drive,
      journal,
      answer(draft) {
        try {
          inbox.take(draft)
        } catch (fault) {
          const failure = toFailure(fault)
          console.error(`an answer did not fit: ${failure.message}`)
          const to = draft.to === undefined ? {} : { to: draft.to }
          inbox.take({
            type: 'effect.failed',
            data: { failure: { code: 'bad_response', message: failure.message } },
            ...to,
          })
        }
      },
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
    })

    const kept = keptKeys(core)
    if (kept.topics.size > 0) walletConnect.prepare()
    await sweepKeys(keys, kept)
    journal.append([], { life, n: journal.head().n, seq: core.seq })
    await journal.flush('strict')
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
    const stop = () => {
      timers.stop()
      void drivers['relay.close']?.({ id: '', data: {} }, () => undefined)
      journal.close()
    }
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
        if ((await standing) !== 'leading') await lock(undefined)
        if (!config || !hello) throw new Fault('core_lost', 'leading expected begin to come first')
        running = await open(config, hello)
      })()
      return leading
    },

    async attach(page, port): Promise<Attached> {
      const { core, inbox, pages, life } = here()
      const attached = { life, seq: core.seq, model: structuredClone(core.model) }
      pages.join(page.tab, port)
      const { visible, asking, answered, tab } = page
      inbox.take({ type: 'page.attached', data: { visible, asking, answered }, tab })
      return attached
    },

    async command(command, ref, tab) {
      const { inbox, journal } = here()
      inbox.take({ type: command.type, data: command.data, ref, tab })
      // Acknowledged means kept: a press that dies with the worker is told to the person. A disk that refuses is a fact
      await journal.flush('relaxed').catch(() => undefined)
    },

    async answer(effectId, answer, tab) {
      const { inbox, journal, bytes, verify } = here()
      inbox.take({
        ...(await answerInput(answer, { store: bytes, verify })),
        ...(answer.type === 'wallet.changed' ? {} : { to: effectId }),
        tab,
      })
      await journal.flush('strict')
    },

    async pageFacts(records) {
      const { journal } = here()
      journal.append(records.filter(fits).map(encode), { ...journal.head() })
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
      const lines = [...(await journal.lines()), ...tail.filter(fits).map(encode)]
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
      return Promise.all([loadPrepare(), check]).then(
        () => true,
        () => false,
      )
    },

    async ping() {
      return running?.life ?? 0
    },
  }
}

function fits(record: PageRecord): boolean {
  const definition = Object.hasOwn(pageFactDefinitions, record.type)
    ? (pageFactDefinitions as Definitions)[record.type]
    : undefined
  return definition !== undefined && misfit(definition, record.data) === undefined
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

/** Puts a bare signature into kept bytes and reads the whole. */
function createInsertion(means: { store: BytesStore; verify: Verify }): Drive {
  return async ({ data }, answer) => {
    try {
      const unsigned = await means.store.get(data.bytesRef)
      if (!unsigned) throw new Fault('expired', 'a signature expected the bytes it signs to be kept, they are gone')
      answer({
        type: 'wallet.signed',
        data: await readSigned(withSignature(unsigned, data.account, bytesOfBase58(data.signature)), means),
      })
    } catch (fault) {
      answer({ type: 'effect.failed', data: { failure: toFailure(fault) } })
    }
  }
}

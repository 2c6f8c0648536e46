/** Opens a core with its log, its drivers and its pages. */
import type { CoreModel } from '../../events/app.ts'
import { toHex } from '../../runtime/hex.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import { later } from '../../runtime/later.ts'
import type { EffectData } from '../../events/effect.ts'
import type { Effect, InputRecord } from '../../runtime/log/record.ts'
import type { Answer } from '../../runtime/host/driver.ts'
import { networkOfGenesis } from '../../events/values/networks.ts'
import type { CoreConfig, PageHello } from '../../events/wire.ts'
import { askedByPage } from './askedByPage.ts'
import type { CoreMachine } from '../core/core.ts'
import { createDispatcher } from './dispatcher.ts'
import type { Drivers } from './driverTable.ts'
import type { BytesStore } from '../drivers/bytes.ts'
import type { Clock } from '../../runtime/host/timer.ts'
import type { LoadClient } from '../drivers/walletconnect/walletConnect.ts'
import { isSubscribedEvent } from './isSubscribedEvent.ts'
import type { Draft } from '../../runtime/core/draft.ts'
import { createCrashGuard } from './crashGuard.ts'
import { createInbox } from './inbox.ts'
import type { Inbox } from '../../runtime/host/inbox.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { own } from '../../runtime/schema/own.ts'
import { movesMoney } from './money/movesMoney.ts'
import type { Pages } from '../../runtime/host/pages.ts'
import { createPages } from './pages.ts'
import { withoutDeviceParts } from './withoutDeviceParts.ts'
import { runtime } from '../runtime.ts'
import { relayNames } from './relayNames.ts'
import { createWaits, type Waits } from '../../runtime/host/waits.ts'

export type OpenCore = {
  config: CoreConfig
  life: number
  genesisHash: string
  core: CoreMachine
  inbox: Inbox
  journal: Journal
  bytes: BytesStore
  drivers: Drivers
  pages: Pages
  /** Takes an input of a driver, or of the worker around the core. */
  hear(draft: Draft): void
  /** Resolves when the model is so, after `limitMs`, or at the core's end. */
  until: Waits<CoreModel>['until']
  /** Deletes its log with its keys, once it has ended. */
  erase(): Promise<void>
  /** Ends it where it stands; nothing is taken or written any more. */
  stop(): void
  isOver(): boolean
}

type OpenSettings = {
  config: CoreConfig
  /** The page that opened it: its language, time zone and whether it is online go into the boot. */
  hello: PageHello
  cause: 'start' | 'lost'
  clock: Clock
  /** Brings the WalletConnect client; the usual way when absent. */
  loadClient?: LoadClient
  /** Ends this worker: the page starts another one. */
  die(cause: unknown): void
  /** Tells the page which input's step begins; without an input, that the step has ended. It takes effect at once. */
  stepping(input?: InputRecord): void
  /** Whether this worker may still have a core: it may lose the lead meanwhile. */
  mayBegin(): boolean
}

/**
 * Opens the log, folds it, starts the drivers and boots: when this resolves, pages may join. One function, because the parts form
 * a circle: drivers feed the inbox, and its steps feed the drivers.
 *
 * @throws Fault `core_lost` when it may not begin any more; nothing of it goes on then
 */
export async function openCore({
  config: given,
  hello,
  cause,
  clock,
  loadClient,
  die,
  stepping,
  mayBegin,
}: OpenSettings): Promise<OpenCore> {
  const { now } = clock
  let over = false
  const parts = await device.get().catch(withoutDeviceParts)
  // Without the file of networks, or without its table of chains, the page's own chain is the only one
  const networks =
    given.networks && (await import('./networks.ts').then(part => part.openNetworks(given, now)).catch(() => undefined))
  const { config } = networks ?? { config: given }
  const chain = networks?.genesisHash ?? (await parts.genesisHashAt(config.solanaRpcUrl, now).catch(() => undefined))
  const genesisHash = chain ?? ''
  const ports = {
    failed: (message: string) => heard({ type: 'core.storageFailed', data: { message } }),
    shrunk: (records: number) => heard({ type: 'core.logFull', data: { records } }),
    taken() {
      stop()
      die(new Fault('elsewhere', 'this core expected to be the only one that writes the log, another one does'))
    },
  }
  const { coreBuild: build } = config
  const record = await parts.openRecord(chain, ports, hello.lastLife, build, mayBegin)
  const { journal, keys, bytes, life, known } = record
  const { care } = journal.head()
  const suspects = care?.build === build ? (care.suspects ?? []) : []
  // After a reload, quarantined inputs are tried once more; an input that ends this life, too, is set aside at once
  if (cause === 'start' && care) journal.mark({ build, suspects, aside: [] })
  const core = runtime.core(known)
  const checkpoints = runtime.checkpoints({ core, journal, build, known, now })
  const pages = createPages({ bytes, left: tab => heard({ type: 'page.left', data: {}, tab }) })
  const drivers = parts.createDrivers({
    config,
    life,
    offered: networks?.boot.networks?.networks ?? (genesisHash === '' ? [] : [networkOfGenesis(genesisHash).caip2]),
    keys,
    bytes,
    clock,
    emit: input => inbox.take(input),
    ...(loadClient && { loadClient }),
    relocate,
    ...(networks && { switchNetwork: networks.driver(core, leave) }),
    askedByPage: payloadId => askedByPage(core.model, payloadId),
    peerOn: topic => {
      const session = own(core.model.session, topic)
      return session && { url: session.peer.url, ...(session.redirect && { redirect: session.redirect }) }
    },
    isSubscribed: (topic, event) => isSubscribedEvent(core.model.session, topic, event),
  })
  const waits = createWaits(core, clock)
  const dispatch = createDispatcher({
    drivers: drivers.table,
    absent: drivers.absent,
    page: drivePage,
    journal,
    movesMoney: effect => movesMoney(core.model, effect),
    answer: heard,
  })
  const inbox = createInbox({
    core,
    journal,
    life,
    build,
    now,
    stepped({ input, facts, effects }) {
      if (input.type === 'clock.jumped') drivers.jumped()
      pages.publish(facts, input.ref !== undefined)
      dispatch(effects)
      void checkpoints.stepped(input)
      waits.stepped()
    },
    broke(cause) {
      drivers.stop()
      // The steps before it are whole and are committed; then this worker ends as if it had been killed
      void journal
        .flush('relaxed')
        .catch(() => undefined)
        .finally(() => die(cause))
    },
  })

  /** Takes an input of a driver or of the core's host. One that does not fit becomes a failure; it is never thrown back. */
  function heard(draft: Draft): void {
    try {
      inbox.take(draft)
    } catch (fault) {
      const failure = toFailure(fault)
      // The end of a core is told by `die`; its requests end with it
      if (failure.code === 'core_lost') return
      console.error(`${draft.type} was not taken: ${failure.message}`)
      if (failure.code !== 'bad_input' || draft.type === 'effect.failed') return
      const to = draft.to === undefined ? {} : { to: draft.to }
      heard({ type: 'effect.failed', data: { failure: { code: 'bad_response', message: failure.message } }, ...to })
    }
  }

  /** A link with a message in it is put together for the page that opens it, and nowhere else. */
  async function drivePage(effect: Effect, answer: (input: Answer) => void): Promise<void> {
    if (effect.type === 'attest.get') {
      const { messageRef } = effect.data as EffectData['attest.get']
      const url = await drivers.walletConnect.attestationUrl(messageRef)
      if (url === undefined) return answer({ type: 'attest.got', data: { isGiven: false } })
      return pages.drive({ ...effect, data: { messageRef, url } }, answer)
    }
    if (effect.type !== 'link.send') return pages.drive(effect, answer)
    const data = effect.data as EffectData['link.send']
    const url = await drivers.walletConnect.linkUrl(data)
    if (url === undefined) return answer({ type: 'link.skipped', data: { why: 'refused' } })
    const requestId = own(core.model.outbox, data.callId)?.payloadId ?? ''
    await pages.drive({ ...effect, data: { ...data, url, requestId } }, answer)
  }

  /** A core that another worker has replaced sweeps nothing and boots no more: the log is that one's now. */
  function goOn(): void {
    if (mayBegin()) return
    stop()
    throw new Fault('core_lost', 'opening a core expected this worker to lead, another one does now')
  }

  goOn()
  if (parts.namesTopics(core.model)) drivers.walletConnect.prepare()
  await parts.sweepUnnamed(core.model, record)
  await checkpoints.begin()
  const enter = await networks?.arrive(keys).catch(() => undefined)
  goOn()
  const { obstacle } = record
  const { diedInStep = 0 } = hello
  const isSuspicious = cause === 'lost' || suspects.length > 0
  const careful = isSuspicious ? createCrashGuard({ journal, build, diedInStep, stepping }) : undefined
  const relays = relayNames(config.relayUrls).map(({ name }) => name)
  inbox.take({
    type: 'core.boot',
    data: {
      life,
      build,
      seed: randomSeed(),
      cause,
      storage: journal.storage === 'durable' ? 'durable' : 'memory',
      language: hello.language,
      timeZone: hello.timeZone,
      online: hello.online,
      projectId: config.projectId,
      relayUrl: relays[0] ?? '',
      relays,
      genesisHash,
      featured: config.featured,
      metadata: config.metadata,
      rests: true,
      ...(config.excluded && { excluded: config.excluded }),
      ...(config.included && { included: config.included }),
      ...(config.links && { links: config.links }),
      ...(config.verifyUrl !== undefined && { attests: true }),
      ...(config.analytics && { analytics: config.analytics.terms }),
      ...networks?.boot,
      ...(obstacle && { obstacle }),
      nodeSockets: 1 + (config.moreRpcUrls?.length ?? 0),
      ...(config.sale?.socketUrl && { saleSocket: true }),
      ...(config.features && { features: config.features }),
      ...(config.remoteFeatures && { featureRule: config.remoteFeatures }),
      ...(config.basic && { basic: true }),
    },
  })
  enter?.(heard, journal)
  if (known.lost) heard({ type: 'core.logDamaged', data: known.lost })
  if (record.shrunk !== undefined) heard({ type: 'core.logFull', data: { records: record.shrunk } })
  if (careful) inbox.beCareful(careful)
  function leave(): void {
    stop()
    pages.restart('another')
  }

  /** Ends this core for that of another chain's log; a log that was begun before its chain was known goes along. */
  async function relocate(to: string): Promise<void> {
    const goesAlong = chain === '' && journal.storage === 'durable'
    if (goesAlong) {
      await journal.flush('strict')
      stop()
    }
    const isMoved = goesAlong && (await parts.adoptLog(to).catch(() => false))
    // The next core asks the node again for what cannot be remembered
    await parts.rememberChain(config.solanaRpcUrl, to).catch((cause: unknown) => {
      if (!over) throw cause
    })
    pages.restart(isMoved ? 'same' : 'another')
  }
  function stop(): void {
    over = true
    inbox.stop()
    drivers.stop()
    journal.close()
    waits.end()
  }
  return {
    config,
    life,
    genesisHash,
    core,
    inbox,
    journal,
    bytes,
    drivers,
    pages,
    until: waits.until,
    hear: heard,
    erase: () => parts.eraseLog(genesisHash),
    stop,
    isOver: () => over,
  }
}

const device = later('keeping the log on this device', async () => (await import('./deviceParts.ts')).deviceParts)

function randomSeed(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)))
}

/**
 * The workers of a device's tabs, of two builds: the product's own election, takeover and handover decide in virtual time which
 * of them leads. A worker opens and stops its core as the product's shell does.
 *
 * 1. A living leader keeps the lead, but for a handover that a person asked for.
 * 2. A leader with an order open keeps the lead, frozen or not, against a tab of another build. One that opened while the leader
 *    was frozen has never heard of it, and takes the lead: the order goes on from the disk.
 */
import type { CoreModel } from '../../src/events/app.ts'
import { openOrder } from '../../src/events/subjects/order/order.ts'
import { leadLock, lifeLock } from '../../src/events/wire.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import type { Handover, Standing } from '../../src/runtime/wire.ts'
import { holdLock } from '../../src/runtime/tabs/locks.ts'
import { protocolVersionOf } from '../../src/worker/tabs/protocolVersion.ts'
import { stopAtRest } from '../../src/runtime/tabs/stopAtRest.ts'
import type { Tabs } from '../../src/runtime/tabs/tabs.ts'
import { openTabs } from '../../src/worker/tabs/tabRules.ts'
import type { Build } from './builds.ts'
import type { Tab } from './browser.ts'
import type { Lives } from './lives.ts'
import { createOrigin, type Owner } from './runtime/origin.ts'
import type { Queue } from './runtime/queue.ts'

type Cause = 'lost' | 'start'

type Worker = Owner & {
  tab: Tab
  tabs: Tabs
  standing?: Standing
  startedAt: number
  /** it leads, or is about to, from that time on */
  leads?: boolean
  ledFrom: number
  /** it has stopped its core to hand the lead over */
  hasStopped?: boolean
}

type Life = NonNullable<ReturnType<Lives['life']>>

type Ports = {
  queue: Queue
  life(): Life | undefined
  /** This tab's worker opens its core. */
  lead(tab: Tab, cause: Cause): void
  /** The leader's core ends. */
  stop(): void
  /** The page of this tab has reached a core. */
  joined(tab: Tab): void
  /** This tab's worker has given itself up. */
  died(tab: Tab): void
  wrong(what: string): void
}

/** A tab that asks for the lead waits this long for an answer at most, ms. */
const patienceMs = 1100

const registries: Record<Build['name'], string> = { 'core-build': 'one', 'other-build': 'other' }

export function createTabWorkers({ queue, life, lead, stop, joined, died, wrong }: Ports) {
  const workers = new Map<Tab, Worker>()
  let count = 0
  /**
   * When a leader was last asked for the lead. Its last commit may fail, or take longer than the patience of the one that asked;
   * and a follower that waits for the lock leads for a moment, until the tab that the lead was handed to takes it.
   */
  let askedAt = 0
  let hear: ((facts: FactRecord[], now: boolean) => void) | undefined
  const leader = () => [...workers.values()].find(worker => worker.leads)
  const origin = createOrigin(queue, (name, from, by) => {
    if (name === leadLock) judge(from as Worker, by as Worker)
  })

  /** Checks a theft of the lead. */
  function judge(from: Worker, by: Worker): void {
    const core = from.hasStopped ? undefined : life()?.core
    if (!core) return
    const isOther = from.tab.build !== by.tab.build
    const isUnheard = from.frozenMs() > 0 && by.startedAt >= queue.frozenFrom()
    // One that leads only until the tab takes over that was handed the lead has asked no wallet in between
    const isPassing = from.ledFrom >= askedAt
    if (isOther && !isUnheard && !isPassing && openOrder(core.model))
      wrong('a leader’s open order is lost to a tab of another build')
    if (from.frozenMs() === 0 && queue.now() - askedAt >= patienceMs)
      wrong(`a tab of ${isOther ? 'another' : 'the same'} build takes the lead from a living leader`)
  }

  function start(tab: Tab, cause: Cause): void {
    if (workers.has(tab)) return
    count += 1
    const worker: Worker = {
      name: `w-${count}`,
      tab,
      frozenMs: () => (worker.leads ? queue.frozenMs() : 0),
      startedAt: queue.now(),
      ledFrom: 0,
      tabs: undefined as never,
    }
    workers.set(tab, worker)
    const locks = origin.locksOf(worker)
    let hasFollowed = false
    holdLock(locks, lifeLock(worker.name))

    async function takeLead(options?: LockOptions): Promise<void> {
      const lock = holdLock(locks, leadLock, options)
      if (!(await lock.held) || worker.isOver) return
      if (worker.leads) return lock.release()
      void lock.lost.then(() => stepDown(worker))
      worker.leads = true
      worker.ledFrom = queue.now()
      origin.enter(worker, () => worker.tabs.lead())
      lead(tab, hasFollowed ? 'lost' : cause)
    }

    worker.tabs = origin.enter(worker, () =>
      openTabs({
        peer: worker.name,
        protocolVersion: protocolVersionOf({ solanaRpcUrl: '' }, registries[tab.build.name]),
        locks,
        clock: queue.now,
        visible: () => tab.visible,
        page: () => undefined,
        joined() {
          hasFollowed = true
          worker.standing = 'joined'
          joined(tab)
        },
        stayOut() {
          worker.standing = 'otherBuild'
        },
        steal: () => takeLead({ steal: true }),
        isBusy: () => {
          const its = worker.leads ? life() : undefined
          return its && openOrder(its.core.model) !== undefined
        },
        async stopCore() {
          const its = worker.leads ? life() : undefined
          if (!its) return false
          const halt = () => {
            worker.hasStopped = true
            stop()
          }
          askedAt = queue.now()
          return stopAtRest(
            { ...its, journal: settling(its.journal), stop: halt },
            () => openOrder(its.core.model) !== undefined,
          )
        },
        stepDown: () => stepDown(worker),
      }),
    )
    void takeLead()
    origin.enter(worker, () => worker.tabs.follow())
  }

  function stepDown(worker: Worker): void {
    if (worker.isOver) return
    const { tab } = worker
    end(tab)
    died(tab)
  }

  /** Ends a tab's worker; the next one in line leads. */
  function end(tab: Tab): void {
    const worker = workers.get(tab)
    if (!worker) return
    workers.delete(tab)
    worker.tabs.close()
    origin.end(worker)
    if (!worker.leads) return
    hear = undefined
    for (const other of workers.values()) if (other.standing === 'joined') delete other.standing
  }

  return {
    start,
    end,
    endAll(): void {
      for (const tab of workers.keys()) end(tab)
    },
    /** Ends the leader's worker, and those of closed tabs. */
    endLeader(isOpen: (tab: Tab) => boolean): void {
      const led = leader()?.tab
      for (const tab of workers.keys()) if (tab === led || !isOpen(tab)) end(tab)
    },
    /** The leader's core runs: followers may join, and its own page. */
    opened(genesisHash: string): void {
      const [worker, its] = [leader(), life()]
      if (!worker || !its) return
      const { number, core } = its
      const pages = { relay: (next: typeof hear) => void (hear = next), leave: () => undefined }
      const open = { life: number, core, pages, hear: () => undefined }
      worker.standing = 'joined'
      origin.enter(worker, () => worker.tabs.opened({ open, calls: {} as never, log: genesisHash }))
    },
    /** Facts of the leader's core; only those about orders concern other tabs' workers here. */
    publish(facts: readonly FactRecord[]): void {
      const worker = leader()
      const orders = facts.filter(({ type }) => type.startsWith('order.'))
      if (worker && orders.length > 0) origin.enter(worker, () => hear?.(orders, true))
    },
    standing: (tab: Tab) => workers.get(tab)?.standing,
    /** Asks for the lead, as the button of a page that stays out does. */
    async takeOver(tab: Tab): Promise<Handover> {
      const worker = workers.get(tab)
      if (worker?.standing !== 'otherBuild') return 'silent'
      return origin.enter(worker, () => worker.tabs.takeOver())
    },
  }
}
export type TabWorkers = ReturnType<typeof createTabWorkers>

/** A journal of a life in memory settles no promise by itself. */
function settling(journal: Life['journal']): Life['journal'] {
  const flush: Life['journal']['flush'] = durability =>
    new Promise((resolve, reject) => void journal.flush(durability).then(resolve, reject))
  return { ...journal, flush }
}

/** @returns whether a model takes no order because a newer build's log is on disk, and tells the person so */
export function saysNewer({ core }: CoreModel): boolean {
  return core.storage === 'memory' && core.obstacle === 'newer'
}

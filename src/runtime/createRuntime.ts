/**
 * The runtime of an event-sourced core: one log, one core that is a pure function of its inputs, drivers for all the rest.
 *
 * A product gives its types, folds and deciders once, and gets the parts that share them. It wires them itself: `open` a log,
 * make the `core` of its facts, an `inbox` over core and journal, a `dispatcher` that hands each step's effects to drivers, whose
 * answers go into the inbox. `replays` reads, restores and re-executes what such a core has written.
 *
 * The registry defines the runtime's own types: the inputs `core.boot` (see `CoreBoot`), `core.setAside`, `effect.failed`,
 * `timer.fired` and `clock.jumped`, the facts `core.started`, `core.faulted` and `core.inputSetAside`.
 */
import type { Snapshots, SnapshotTables } from './log/createSnapshots.ts'
import type { Codec } from './log/createCodec.ts'
import { createMachine, type CoreStart, type MachineOf } from './core/coreMachine.ts'
import type { CoreRules, CoreTypes, DeciderOf } from './core/coreTypes.ts'
import type { QuarantineRules } from './core/createQuarantine.ts'
import { crashGuardFor, type CrashGuardPorts } from './host/crashGuard.ts'
import { dispatcherFor, type DispatchPorts, type DispatchRules } from './host/dispatcher.ts'
import { type CrashGuard, type Inbox, inboxFor, type InboxPorts } from './host/inbox.ts'
import { type CheckpointPorts, type Checkpoints, createCheckpoints } from './journal/checkpoints.ts'
import type { JournalPorts, LogStore } from './journal/journal.ts'
import type { KnownLog } from './journal/known.ts'
import type { OpenedJournal, OpenMeans } from './journal/openJournal.ts'
import type { ReplayParts, Replays } from './replay/createReplays.ts'

/** Everything that the runtime knows of a product. */
type Product<P extends CoreTypes> = CoreRules<P> & {
  codec: Codec
  quarantine: QuarantineRules
  /** in the order in which they hear an input */
  deciders: readonly DeciderOf<P>[]
  dispatch?: Partial<DispatchRules>
  emptyModel(): P['model']
  /** @returns the number of the life that a model is of */
  lifeOf(model: P['model']): number
  /** number of the log's format: it grows when older builds could not read the log any more */
  format: number
  /** Loads the tables of a snapshot: a first visit needs none. */
  tables(): Promise<SnapshotTables<P['model']>>
  /** Loads what only replays need. */
  replayed(): Promise<ReplayParts>
}

type EffectsOf<P extends CoreTypes> = keyof P['effects'] & string

type CoreRuntime<P extends CoreTypes> = {
  codec: Codec
  /**
   * Opens a log for one life, or goes on in memory.
   *
   * @param name of the log's database; undefined when it is not known which
   * @param life `last`: number of the last life a page knew; `build`: of this core; `mayBegin`: asked right before it is written
   * @throws Fault `core_lost` when the life may not begin any more
   */
  open(
    name: string | undefined,
    ports: JournalPorts,
    life?: { last?: number; build?: string | undefined; mayBegin?: (() => boolean) | undefined },
  ): Promise<OpenedJournal<P['model']>>
  /** @returns the content of an open log */
  known(log: LogStore): Promise<KnownLog<P['model']>>
  /**
   * @returns a core; over what a log knows, with the facts since folded into its model, or over an empty model
   */
  core(known?: Pick<KnownLog<P['model']>, 'model' | 'from' | 'facts'>): MachineOf<P>
  inbox(ports: InboxPorts<EffectsOf<P>>): Inbox
  dispatcher(ports: DispatchPorts<EffectsOf<P>>): ReturnType<typeof dispatcherFor<EffectsOf<P>>>
  crashGuard(ports: CrashGuardPorts): CrashGuard
  /** Makes checkpoints of this core in this journal. */
  checkpoints(ports: Omit<CheckpointPorts<P['model']>, 'lifeOf' | 'snapshots'>): Checkpoints
  /** Loads what reads recordings and re-executes them. */
  replays(): Promise<Replays<P>>
}

/** The log on disk, with its database: loaded by those that open one. */
const storing = () => import('./journal/openJournal.ts')

/** Makes the runtime of a product. */
export function createRuntime<P extends CoreTypes>(product: Product<P>): CoreRuntime<P> {
  const { codec, quarantine, deciders, dispatch = {}, emptyModel, lifeOf, format } = product

  async function snapshots(): Promise<Snapshots<P['model']>> {
    const [{ createSnapshots }, tables] = await Promise.all([import('./log/createSnapshots.ts'), product.tables()])
    return createSnapshots(codec, { tables, emptyModel })
  }

  const openMeans = (build?: string, mayBegin?: () => boolean): OpenMeans<P['model']> => ({
    emptyModel,
    format,
    mayBegin,
    reading: async () => ({ codec, snapshots: await snapshots(), format, build }),
  })

  return {
    codec,
    async open(name, ports, { last, build, mayBegin } = {}) {
      const { openJournal } = await storing()
      return openJournal(name, ports, openMeans(build, mayBegin), last)
    },
    known: async log => (await storing()).knownOf(log, openMeans()),
    core(known) {
      if (!known) return createMachine(product, deciders, emptyModel())
      const start: CoreStart<P> = { seq: known.from.seq }
      const core = createMachine(product, deciders, known.model, start)
      for (const fact of known.facts) core.recall(fact)
      return core
    },
    inbox: ports => inboxFor({ codec, quarantine }, ports),
    dispatcher: ports => dispatcherFor(dispatch, ports),
    crashGuard: ports => crashGuardFor(quarantine, ports),
    checkpoints: ports => createCheckpoints({ ...ports, lifeOf, snapshots }),
    async replays() {
      const [{ createReplays }, tables, parts] = await Promise.all([
        import('./replay/createReplays.ts'),
        product.tables(),
        product.replayed(),
      ])
      return createReplays(product, { tables, ...parts })
    },
  }
}

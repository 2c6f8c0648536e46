/** The supervisor of this product's page. */
import type { PageFact } from '../../../events/app.ts'
import type { Command } from '../../../events/command.ts'
import { failureCodes } from '../../../events/failureCodes.ts'
import { type Core, coreCalls, type CoreName, coreNames, lifeLock, type Wire } from '../../../events/wire.ts'
import { passFaults } from '../../../runtime/calls/passFaults.ts'
import { createPageSupervisor, type PageHost, type PageSupervisor } from '../../../runtime/page/supervisor.ts'
import type { Store } from '../../../ui/store.ts'
import { timeZone } from '../../drivers/timeZone.ts'
import { createNotices } from './notices.ts'
import { restatement } from './restatement.ts'

/** The part of `Core` that a page calls once it is attached. */
type JoinedCore = Pick<Core, Exclude<CoreName, 'attach'> | 'readChain'>

/** The calls of an attached page. */
export const joinedCalls = [...coreNames.filter(name => name !== 'attach'), 'readChain']

export type Supervisor = Omit<PageSupervisor<JoinedCore, Wire['command'], PageFact>, 'command'> & {
  /** Sends a command of the person. */
  command(command: Command): void
}

type Ports = Pick<PageHost<Wire, PageFact>, 'early' | 'config' | 'makeWorker' | 'checkScript' | 'now'> & {
  store: Store
  wallets: PageHost<Wire, PageFact>['driver']
}

/** For logs and reports: a visitor reads the page's own words for each reason. */
const words = {
  gaveUp: 'the worker ended again and again',
  forbidden: 'the browser does not run the worker',
  altered: 'a file of the worker was altered',
}

passFaults(failureCodes)

/** Makes a supervisor; `start` creates its first worker. */
export function createSupervisor({ wallets, ...ports }: Ports): Supervisor {
  const { store, now } = ports
  return createPageSupervisor<Wire, PageFact, JoinedCore>({
    ...ports,
    driver: wallets,
    calls: coreCalls,
    joinedCalls,
    lifeLock,
    words,
    introduce: () => ({ language: navigator.language, timeZone: timeZone(), online: navigator.onLine }),
    isDurable: () => store.model().core.storage === 'durable',
    restatement: life => restatement(store.model(), life),
    notices: dispatch => createNotices(store, now, dispatch),
  })
}

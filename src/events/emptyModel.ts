/** The model before the first fact. Apart from the folds, so that a page is drawn before these are loaded. */
import type { CoreModel, Model, PageModel } from './app.ts'
import { closedScreen } from './subjects/page/screenFold.ts'
import { emptyMemory } from './values/memory.ts'

const emptyList = () => ({ phase: 'idle' as const, pages: 0, count: 0, wallets: [] })

/** @returns a model of its own for each call: folds change it in place */
export function emptyCoreModel(): CoreModel {
  return {
    core: { life: 0, build: '', cause: 'start', storage: 'unknown', faults: 0 },
    network: { phase: 'unknown', online: true },
    relay: { phase: 'closed' },
    relays: { proved: '', lacks: {}, opens: [] },
    listing: { all: emptyList(), featured: [], search: '', found: emptyList() },
    connection: { attempt: { phase: 'none' }, active: null, made: {}, bySession: {}, recent: [] },
    pairing: { shown: null, open: {} },
    session: {},
    auth: {},
    link: { chosen: {}, apps: [], last: null },
    deleted: emptyMemory(),
    mail: { messages: emptyMemory(), requests: emptyMemory(), dropped: {}, owed: {} },
    parting: {},
    request: {},
    outbox: {},
    balance: {},
    sale: { terms: { phase: 'unread' }, notices: null, reading: null, stale: null, distrust: null, pins: {} },
    order: {},
    purchase: {},
    service: {},
    project: { phase: 'unread' },
  }
}
export function emptyPageModel(): PageModel {
  return {
    tab: { phase: 'starting', width: 1280, theme: 'system', language: 'en' },
    screen: closedScreen(),
    toast: null,
    installed: [],
  }
}
export function emptyModel(): Model {
  return { ...emptyCoreModel(), ...emptyPageModel() }
}

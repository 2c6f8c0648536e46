/** Tables of the core itself, the chain, the relays and the directory of wallets. */
import type { CoreModel } from '../app.ts'
import { choice, define, list, openField } from '../../runtime/schema/registry.ts'
import { analyticsState, noAnalytics, waitingEvent } from '../subjects/service/analytics.ts'
import { coreState } from '../subjects/service/core.ts'
import { type ListedWallet, listedWallet } from '../subjects/service/listingFacts.ts'
import { listingState } from '../subjects/service/listingState.ts'
import { networkState } from '../subjects/service/network.ts'
import { projectState } from '../subjects/service/project.ts'
import { relaysState, relayState } from '../subjects/service/relay.ts'
import { askKey, serviceState } from '../subjects/service/service.ts'
import { table } from './table.ts'

/** Wallets in one row of the directory. */
const walletsPerRow = 40

/** One list of tables, made by a function, so that bundles without use for the tables drop all of them. */
/*#__NO_SIDE_EFFECTS__*/
export function deviceTables() {
  return define({
    'core.restated': table(
      { core: coreState() },
      { rows: ({ core }) => [{ core }], put: (model, { core }) => void (model.core = core) },
    ),
    'network.restated': table(
      { network: networkState() },
      { rows: ({ network }) => [{ network }], put: (model, { network }) => void (model.network = network) },
      // There was no choice of networks
      data => data,
    ),
    'relay.restated': table(
      { relay: relayState() },
      { rows: ({ relay }) => [{ relay }], put: (model, { relay }) => void (model.relay = relay) },
      // The address was not recorded
      ({ relay }) => ({
        relay: relay.phase === 'connecting' || relay.phase === 'connected' ? { ...relay, url: '' } : relay,
      }),
    ),
    'relay.relaysRestated': table(relaysState().parts, {
      rows: ({ relays }) => (isKnown(relays) ? [relays] : []),
      put: (model, relays) => void (model.relays = relays),
    }),
    /** Its wallets follow in `listing.walletsRestated`. */
    'listing.restated': table(listingState().parts, {
      rows({ listing: { all, search, certified, found, top, excluded } }) {
        const asked = { search, ...(certified && { certified }) }
        const beside = { ...(top && { top }), ...(excluded && { excluded }) }
        return [{ all: unlisted(all), ...asked, found: unlisted(found), ...beside }]
      },
      put(model, { all, found, ...rest }) {
        model.listing = { all: { ...all, wallets: [] }, featured: [], ...rest, found: { ...found, wallets: [] } }
      },
    }),
    'listing.walletsRestated': table(
      { lane: openField(choice(['all', 'featured', 'found'])), wallets: list(listedWallet) },
      {
        rows: ({ listing: { all, featured, found } }) => [
          ...inParts('all', all.wallets),
          ...inParts('featured', featured),
          ...inParts('found', found.wallets),
        ],
        put({ listing: { all, featured, found } }, { lane, wallets }) {
          const lanes = { all: all.wallets, featured, found: found.wallets }
          lanes[lane].push(...wallets)
        },
      },
    ),
    'service.restated': table(serviceState().parts, {
      rows: ({ service }) => Object.values(service),
      put: ({ service }, entry) => void (service[askKey(entry.ask)] = entry),
    }),
    'project.restated': table(projectState().parts, {
      rows: ({ project }) => (Object.keys(project).length > 1 || project.phase !== 'unread' ? [project] : []),
      put: (model, project) => void (model.project = project),
    }),
    /** Its events follow in `analytics.waitingRestated`. */
    'analytics.restated': table(analyticsState().parts, {
      rows({ analytics }) {
        if (!analytics) return []
        const { waiting: _, ...rest } = analytics
        return [rest]
      },
      put: (model, rest) => void (model.analytics = { ...rest, waiting: [] }),
    }),
    'analytics.waitingRestated': table(waitingEvent().parts, {
      rows: ({ analytics = noAnalytics }) => analytics.waiting,
      put: ({ analytics }, event) => void analytics?.waiting.push(event),
    }),
  })
}

function isKnown({ proved, lacks, opens }: CoreModel['relays']): boolean {
  return proved !== '' || opens.length > 0 || Object.keys(lacks).length > 0
}

/** A list without its wallets. */
function unlisted({ wallets: _, ...list }: CoreModel['listing']['all']) {
  return list
}

function inParts<L extends string>(lane: L, wallets: ListedWallet[]): { lane: L; wallets: ListedWallet[] }[] {
  return Array.from({ length: Math.ceil(wallets.length / walletsPerRow) }, (_, part) => ({
    lane,
    wallets: wallets.slice(part * walletsPerRow, (part + 1) * walletsPerRow),
  }))
}

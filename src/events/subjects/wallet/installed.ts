/** Wallets that announced themselves to this page: page facts. */
import {
  define,
  flag,
  id,
  list,
  openField,
  optional,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import { signingFeatures } from '../../schema/fields.ts'

/**
 * `walletKey` is unique in this page; `identity` is the same in every page for a wallet of this name and picture. `twin`:
 * another wallet's name looked the same when it was announced; `installed.alike` corrects it.
 */
export const announcedWallet = {
  walletKey: openField(id),
  name: openField(text),
  features: signingFeatures,
  chains: list(openField(text)),
  twin: openField(flag),
}

export const installedFacts = define({
  'installed.announced': v1({ ...announcedWallet, identity: optional(openField(id)) }),
  'installed.gone': v1({ walletKey: openField(id) }),
  /** All wallets here whose name looks like another one's; written whenever they change. */
  'installed.alike': v1({ walletKeys: list(openField(id)) }),
  /** An announcement that cannot be used; `message` says why. */
  'installed.refused': v1({ message: openField(text) }),
})
export type InstalledFact = UnionOf<typeof installedFacts>

export type InstalledWallet = Extract<InstalledFact, { type: 'installed.announced' }>['data']
export type InstalledView = InstalledWallet[]

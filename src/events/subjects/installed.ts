/** Wallets that announced themselves to this page: page facts. */
import { choice, define, flag, id, list, open, text, type UnionOf, v1 } from '../registry.ts'
import type { WalletFeature } from './connection.ts'

/** `walletKey` is unique in this page; `twin` says that another wallet announced the same name. */
export const announcedWallet = {
  walletKey: open(id),
  name: open(text),
  features: list(open(choice(['signTransaction', 'signAndSendTransaction', 'signMessage']))),
  chains: list(open(text)),
  twin: open(flag),
}

export const installedFacts = define({
  'installed.announced': v1(announcedWallet),
  'installed.gone': v1({ walletKey: open(id) }),
  /** An announcement that cannot be used; `message` says why. */
  'installed.refused': v1({ message: open(text) }),
})
export type InstalledFact = UnionOf<typeof installedFacts>

export type InstalledWallet = {
  walletKey: string
  name: string
  features: WalletFeature[]
  chains: string[]
  twin: boolean
}
export type InstalledView = InstalledWallet[]

export function foldInstalled(model: { installed: InstalledView }, fact: InstalledFact): void {
  switch (fact.type) {
    case 'installed.announced':
      if (model.installed.some(wallet => wallet.walletKey === fact.data.walletKey)) return
      model.installed.push(fact.data)
      return
    case 'installed.gone':
      if (model.installed.some(wallet => wallet.walletKey === fact.data.walletKey)) {
        model.installed = model.installed.filter(wallet => wallet.walletKey !== fact.data.walletKey)
      }
  }
}

import type { InstalledFact, InstalledView } from './installed.ts'

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
      return
    case 'installed.alike': {
      const alike = new Set(fact.data.walletKeys)
      for (const [at, wallet] of model.installed.entries()) {
        const twin = alike.has(wallet.walletKey)
        if (wallet.twin !== twin) model.installed[at] = { ...wallet, twin }
      }
    }
  }
}

import type { InstalledView, InstalledWallet } from '../wallet/installed.ts'
import type { ScreenView } from './screen.ts'
import type { Lasting, TabFact, TabView } from './tab.ts'
import type { ToastView } from './toast.ts'

/** The parts of the model that a restated page replaces. */
type Restated = { tab: TabView; screen: ScreenView; toast: ToastView; installed: InstalledView }

export function foldTab(model: Restated, fact: TabFact): void {
  const kept = lasting(model.tab)
  // Only a reload helps a page whose parts are gone from the server
  const lastWord = model.tab.phase === 'outdated'
  switch (fact.type) {
    case 'tab.opened':
      model.tab = { ...fact.data, phase: 'starting' }
      return
    case 'tab.themed':
      model.tab.theme = fact.data.theme
      return
    case 'tab.languageChosen':
      model.tab.language = fact.data.language
      return
    case 'tab.featured':
      model.tab.features = { ...kept.features, ...fact.data.features }
      if (fact.data.account) model.tab.account = { ...kept.account, ...fact.data.account }
      return
    case 'tab.attached':
      if (lastWord || (model.tab.phase === 'attached' && model.tab.life === fact.data.life)) return
      model.tab = { ...kept, phase: 'attached', life: fact.data.life }
      return
    case 'tab.coreLost':
      if (!lastWord && model.tab.phase !== 'lost') model.tab = { ...kept, phase: 'lost', reason: fact.data.reason }
      return
    case 'tab.restated':
      return restated(model, fact.data)
    case 'tab.elsewhere':
      if (lastWord || (model.tab.phase === 'elsewhere' && model.tab.why === fact.data.why)) return
      model.tab = { ...kept, phase: 'elsewhere', ...fact.data }
      return
    case 'tab.otherBuild':
      if (fact.data.open) model.tab.otherBuild = true
      else delete model.tab.otherBuild
      return
    case 'tab.outdated':
      if (!lastWord) model.tab = { ...kept, phase: 'outdated' }
      return
    case 'tab.blocked':
      if (!lastWord && model.tab.phase !== 'blocked') model.tab = { ...kept, phase: 'blocked', ...fact.data }
  }
}

/** @returns what outlives every change of the core */
function lasting({
  width,
  theme,
  language,
  otherBuild,
  features,
  account,
}: Omit<Lasting, 'otherBuild'> & { otherBuild?: boolean }): Lasting {
  return {
    width,
    theme,
    language,
    ...(otherBuild && { otherBuild: true as const }),
    ...(features && { features }),
    ...(account && { account }),
  }
}

function restated(model: Restated, data: Extract<TabFact, { type: 'tab.restated' }>['data']): void {
  const { life, screen, toast } = data
  const installed = withIdentities(data.installed, data.identities)
  const kept = lasting(data)
  const tab: TabView =
    model.tab.phase === 'outdated'
      ? { ...kept, phase: 'outdated' }
      : life === undefined
        ? { ...kept, phase: 'starting' }
        : { ...kept, phase: 'attached', life }
  // The live page shows all this already: equal parts stay the same objects, so that nothing redraws
  if (isOther(model.tab, tab)) model.tab = tab
  // Later facts write into the history, and must not change this fact
  if (isOther(model.screen, screen)) model.screen = { ...screen, history: [...screen.history] }
  if (isOther(model.installed, installed)) model.installed = installed
  if (isOther(model.toast, toast ?? null)) model.toast = toast ?? null
}

function withIdentities(
  installed: readonly InstalledWallet[],
  identities: readonly { walletKey: string; identity: string }[] = [],
): InstalledView {
  const known = new Map(identities.map(({ walletKey, identity }) => [walletKey, identity]))
  return installed.map(wallet => {
    const identity = known.get(wallet.walletKey)
    return identity === undefined ? wallet : { ...wallet, identity }
  })
}

function isOther(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b)
}

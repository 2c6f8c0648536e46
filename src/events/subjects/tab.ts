/** How this page stands to its core: page facts. */
import { choice, define, integer, open, text, type UnionOf, v1 } from '../registry.ts'

export const tabFacts = define({
  /** The page opened: how wide, which theme and language, so that a replay shows the same. */
  'tab.opened': v1({ width: open(integer), theme: open(choice(['light', 'dark', 'system'])), language: open(text) }),
  'tab.themed': v1({ theme: open(choice(['light', 'dark', 'system'])) }),
  'tab.resized': v1({ width: open(integer) }),
  'tab.attached': v1({ life: open(integer) }),
  /** The core died or froze; another one is being started. */
  'tab.coreLost': v1({ reason: open(text) }),
  /** Another tab of this page holds the core. */
  'tab.elsewhere': v1({}),
  /** Part of this page is no longer on the server; only a reload helps. */
  'tab.outdated': v1({}),
  'tab.blocked': v1({ message: open(text) }),
})
export type TabFact = UnionOf<typeof tabFacts>

export type TabView = { width: number; theme: 'light' | 'dark' | 'system'; language: string } & (
  | { phase: 'starting' }
  | { phase: 'attached'; life: number }
  | { phase: 'lost'; reason: string }
  | { phase: 'elsewhere' }
  | { phase: 'outdated' }
  | { phase: 'blocked'; message: string }
)
export const emptyTab: TabView = { phase: 'starting', width: 1280, theme: 'system', language: 'en' }

export function foldTab(model: { tab: TabView }, fact: TabFact): void {
  const { width, theme, language } = model.tab
  const kept = { width, theme, language }
  // Only a reload helps a page whose parts are gone from the server
  const lastWord = model.tab.phase === 'outdated'
  switch (fact.type) {
    case 'tab.opened':
      model.tab = { ...fact.data, phase: 'starting' }
      return
    case 'tab.themed':
      model.tab.theme = fact.data.theme
      return
    case 'tab.resized':
      model.tab.width = fact.data.width
      return
    case 'tab.attached':
      if (lastWord || (model.tab.phase === 'attached' && model.tab.life === fact.data.life)) return
      model.tab = { ...kept, phase: 'attached', life: fact.data.life }
      return
    case 'tab.coreLost':
      if (!lastWord && model.tab.phase !== 'lost') model.tab = { ...kept, phase: 'lost', reason: fact.data.reason }
      return
    case 'tab.elsewhere':
      if (!lastWord && model.tab.phase !== 'elsewhere') model.tab = { ...kept, phase: 'elsewhere' }
      return
    case 'tab.outdated':
      if (!lastWord) model.tab = { ...kept, phase: 'outdated' }
      return
    case 'tab.blocked':
      if (!lastWord && model.tab.phase !== 'blocked')
        model.tab = { ...kept, phase: 'blocked', message: fact.data.message }
  }
}

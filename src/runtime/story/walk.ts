/**
 * The model at any place of a story: folds forward, and goes back to models saved on the way.
 *
 * 1. A model that was handed out never changes.
 * 2. Unchanged values are the same objects at neighbouring places.
 */
import { isRecord } from '../json/isRecord.ts'
import type { StoryFolds } from './moments.ts'
import type { Entry } from './story.ts'

/** Entries between two saved models: folding this many takes a few ms. */
const keptEvery = 4096
/** Handed-out models in the cache: two for each step, and those of the step before. */
const remembered = 8

export type Walk<Model> = {
  /**
   * @param place −1 for before everything
   * @param tab its page; absent: the page of the last tab with a fact
   * @returns the model right after this entry; it never changes
   */
  at(place: number, tab?: string): Model
}

type State<Core, Page> = { core: Core; tabs: Map<string, Page>; spoke: string }

/**
 * Makes a walk.
 *
 * @param begin the model before the first entry
 */
export function createWalk<Core, Page>(
  { emptyCore, emptyPage, foldCore, foldPage }: StoryFolds<Core, Page>,
  story: readonly Entry[],
  begin: Core = emptyCore(),
): Walk<Core & Page> {
  const nobody = emptyPage()
  const kept = new Map<number, State<Core, Page>>()
  const shown = new Map<string, Core & Page>()
  let state: State<Core, Page> = { core: copy(begin), tabs: new Map(), spoke: '' }
  let here = -1
  let lastCore: Core | undefined
  const lastPages = new Map<string, Page>()

  function keep(): void {
    const before = kept.get(here - keptEvery)
    const tabs = [...state.tabs].map(([tab, page]) => [tab, withKnownParts(page, before?.tabs.get(tab))] as const)
    kept.set(here, { core: withKnownParts(state.core, before?.core), tabs: new Map(tabs), spoke: state.spoke })
  }

  function restore(place: number): void {
    const at = nearestKept(place)
    const from = kept.get(at)
    const tabs = [...(from?.tabs ?? [])].map(([tab, page]) => [tab, copy(page)] as const)
    state = { core: copy(from?.core ?? begin), tabs: new Map(tabs), spoke: from?.spoke ?? '' }
    here = at
  }

  function nearestKept(place: number): number {
    for (let at = place - (place % keptEvery); at >= keptEvery; at -= keptEvery) if (kept.has(at)) return at
    return -1
  }

  function goTo(place: number): void {
    if (place < here || nearestKept(place) > here) restore(place)
    while (here < place) {
      here += 1
      const { record, unknown } = story[here] ?? {}
      if (record?.k === 'f' && !unknown) foldCore(state.core, record)
      else if (record?.k === 'p') {
        let page = state.tabs.get(record.tab)
        if (!page) {
          page = emptyPage()
          state.tabs.set(record.tab, page)
        }
        if (!unknown) foldPage(page, record)
        state.spoke = record.tab
      }
      if (here > 0 && here % keptEvery === 0 && !kept.has(here)) keep()
    }
  }

  return {
    at(place, tab) {
      const end = Math.min(place, story.length - 1)
      const name = `${end} ${tab ?? ''}`
      const known = shown.get(name)
      if (known) return known
      goTo(end)
      const whose = tab ?? state.spoke
      lastCore = withKnownParts(state.core, lastCore)
      const page = withKnownParts(state.tabs.get(whose) ?? nobody, lastPages.get(whose))
      lastPages.set(whose, page)
      const model = { ...lastCore, ...page }
      shown.set(name, model)
      for (const oldest of shown.keys()) {
        if (shown.size <= remembered) break
        shown.delete(oldest)
      }
      return model
    },
  }
}

/** A deep copy that shares every equal part with `known`. */
export function withKnownParts<T>(value: T, known: T | undefined): T {
  return settled(value, known) as T
}

function settled(value: unknown, known: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const was: readonly unknown[] | undefined = Array.isArray(known) ? known : undefined
    let same = was?.length === value.length
    const is = value.map((member, at) => {
      const now = settled(member, was?.[at])
      if (same && !Object.is(now, was?.[at])) same = false
      return now
    })
    return same ? was : is
  }
  const was = isRecord(known) ? known : undefined
  const is: Record<string, unknown> = {}
  let same = was !== undefined
  let count = 0
  for (const name in value) {
    count += 1
    const before = was && Object.hasOwn(was, name) ? was[name] : undefined
    const now = settled((value as Record<string, unknown>)[name], before)
    is[name] = now
    if (same && was && (!Object.is(now, before) || !Object.hasOwn(was, name))) same = false
  }
  return same && was && Object.keys(was).length === count ? was : is
}

function copy<T>(value: T): T {
  return withKnownParts(value, undefined)
}

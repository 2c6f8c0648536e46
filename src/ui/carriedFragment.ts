/** The fragment that carries a page's drafted purchase into a wallet's own browser. */
import type { Store } from './store.ts'

const fragments = new WeakMap<Store, string>()

/** Sets the fragment; undefined without a purchase. */
export function carry(store: Store, fragment: string | undefined): void {
  if (fragment === undefined) fragments.delete(store)
  else fragments.set(store, fragment)
}

/** @returns the fragment of the purchase, if one is drafted */
export function carriedIn(store: Store): string | undefined {
  return fragments.get(store)
}

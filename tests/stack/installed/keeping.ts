/** What an installed wallet keeps from load to load. `account` is which of its accounts is chosen, from 0. */
export type Kept = { word: string; account: number; trusted: boolean }

/** Where it is kept; falls back to memory where the page's storage is denied. */
export type Keeping = { read(): Kept; write(kept: Partial<Kept>): void }

/** @param first what the wallet starts with when nothing is kept yet; a given word always wins over a kept one */
export function createKeeping(key: string, word: string | undefined): Keeping {
  const name = `installed-wallet:${key}`
  const load = (): Partial<Kept> => {
    try {
      return JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Kept>
    } catch {
      return {}
    }
  }
  const stored = load()
  let kept: Kept = {
    account: 0,
    trusted: false,
    ...stored,
    word: word ?? stored.word ?? crypto.getRandomValues(new Uint32Array(4)).join('-'),
  }
  const write = (change: Partial<Kept>): void => {
    kept = { ...kept, ...change }
    try {
      localStorage.setItem(name, JSON.stringify(kept))
    } catch {
      // Storage is denied: the wallet lives as long as the page.
    }
  }
  write({})
  return { read: () => kept, write }
}

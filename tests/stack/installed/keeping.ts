/** Persistent state of an installed wallet. `account` is the index of the chosen account. */
export type Kept = { word: string; account: number; trusted: boolean }

/** Store of that state; falls back to memory where the page denies storage. */
export type Keeping = { read(): Kept; write(kept: Partial<Kept>): void }

/** @param word initial word if nothing is stored; a given word always overrides a stored one */
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

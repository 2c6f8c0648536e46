/** Finds wallets with lookalike names by Unicode's table, which is loaded when two wallets are present. */

type Named = { readonly name: string; readonly walletKey: string }

type Likeness<W extends Named> = {
  /** @returns keys of the wallets whose name looks like another's */
  twins(): string[]
  /** @returns the wallets whose name looks like this one; undefined while names cannot be compared */
  alike(name: string): W[] | undefined
  /** Call it when wallets came or went. */
  changed(): void
  /** Resolves when names are compared, or cannot be. */
  compared(): Promise<void>
}

type Ports<W extends Named> = {
  present(): W[]
  /** Called with the keys of all marked wallets: once for all that come and go together, and only when the keys differ. */
  marked(walletKeys: string[]): void
  /** Called when the table is loaded. */
  ready(): void
}

/** Makes a comparison of the wallets that `present` lists. */
export function createLikeness<W extends Named>({ present, marked, ready }: Ports<W>): Likeness<W> {
  let told = ''
  let isMarking = false
  let table: { skeletonsOf(name: string): string[] } | undefined
  let loading: Promise<void> | undefined

  // Names are few and change seldom: each is read once
  let known = new Map<string, readonly string[]>()
  function skeletons(name: string): readonly string[] {
    const found = known.get(name) ?? table?.skeletonsOf(name) ?? [name.toLowerCase()]
    known.set(name, found)
    return found
  }

  function twins(): string[] {
    const owners = new Map<string, Set<W>>()
    for (const wallet of present())
      for (const skeleton of skeletons(wallet.name))
        owners.set(skeleton, (owners.get(skeleton) ?? new Set()).add(wallet))
    const alike = new Set([...owners.values()].filter(({ size }) => size > 1).flatMap(several => [...several]))
    return [...alike].map(({ walletKey }) => walletKey).sort()
  }

  function mark(): void {
    if (isMarking) return
    isMarking = true
    queueMicrotask(() => {
      isMarking = false
      const walletKeys = twins()
      if (walletKeys.join('\n') === told) return
      told = walletKeys.join('\n')
      marked(walletKeys)
    })
  }

  /** A failed load is retried with the next wallet. */
  function load(): Promise<void> {
    loading ??= import('../../../events/values/text/lookalike.ts').then(
      come => {
        table = come
        known = new Map()
        mark()
        ready()
      },
      () => {
        loading = undefined
      },
    )
    return loading
  }

  return {
    twins,
    alike(name) {
      const all = present()
      if (all.length <= 1) return all.filter(wallet => wallet.name === name)
      if (!table) return undefined
      const wanted = skeletons(name)
      return all.filter(wallet => skeletons(wallet.name).some(skeleton => wanted.includes(skeleton)))
    },
    changed() {
      mark()
      if (present().length > 1 && !table) void load()
    },
    async compared() {
      if (present().length > 1) await load()
    },
  }
}

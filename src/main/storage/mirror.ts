/**
 * Mirrors the connections of this device into the local storage that other wallet libraries of the page read. The journal is the
 * truth: apart from the name of a wallet that was left connected before the first start, nothing here comes back into it.
 *
 * 1. A pass runs once the page has a core's model, and then once for any number of changes of the store between two tasks.
 * 2. A pass that wants the same values as the last one touches nothing: another library's later values stay.
 * 3. A storage that refuses costs one line on the console, and stops nothing. The values of a newer version are left alone.
 */
import type { Store } from '../../ui/store.ts'
import type { ChosenLinks } from './chosenLinks.ts'
import { changesTo, schemaVersion } from './changes.ts'
import { entriesOf, mirroredParts } from './entries.ts'
import { firstRead, type LeftConnection } from './firstRead.ts'
import { storageKeys as keys } from './keys.ts'

type Ports = {
  store: Pick<Store, 'model' | 'subscribe'>
  /** links chosen since the page attached */
  chosen(): ChosenLinks
  /** Gives the local storage; it may throw, as browsers without site data do. */
  storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** ms since the Unix epoch */
  now(): number
  /** Runs a task soon, after the changes of this one. */
  soon(task: () => void): void
  /** Prints a line for developers. */
  info(line: string): void
  /** Runs before the link of a WalletConnect wallet is written. */
  keepLink?(): void
  /** Takes the wallet that another library left connected before this device's first start. */
  left?(connection: LeftConnection): void
}

export type Mirror = {
  /** Values that did not fit, in the last pass. */
  dropped(): number
  /** Ends the mirror; the values stay. */
  stop(): void
}

export function startMirror({ store, chosen, storage, now, soon, info, keepLink, left }: Ports): Mirror {
  let last: string | undefined
  let parts: readonly unknown[] = []
  let dropped = 0
  let isWaiting = false
  let isStopped = false
  let hasTold = false

  function tell(line: string): void {
    if (!hasTold) info(line)
    hasTold = true
  }

  function pass(): void {
    isWaiting = false
    const model = store.model()
    const present = [...mirroredParts(model), chosen()]
    if (isStopped || present.every((part, index) => part === parts[index])) return
    parts = present
    const wanted = entriesOf(model, chosen())
    const text = wanted && JSON.stringify(wanted)
    if (!wanted || text === last) return
    const isStart = last === undefined
    last = text
    const place = storage()
    const stored = (name: string) => place.getItem(name)
    if (isNewer(stored(keys.schema.name))) return stop()
    const found = isStart ? firstRead(model, stored) : undefined
    if (found) left?.(found)
    const changes = changesTo(wanted, stored, { now: now(), isStart })
    dropped = changes.dropped
    if (dropped > 0) tell(`local storage expected values of wallet libraries, ignored ${dropped} that do not fit`)
    if (changes.writes.get(keys.deepLink.name)) keepLink?.()
    for (const [name, text] of changes.writes)
      guarded(() => (text === null ? place.removeItem(name) : place.setItem(name, text)))
  }

  function guarded(run: () => void): void {
    try {
      run()
    } catch (cause) {
      tell(
        `local storage expected to be read and written, it refused: ${cause instanceof Error ? cause.name : typeof cause}`,
      )
    }
  }

  function ask(): void {
    if (isWaiting || isStopped) return
    isWaiting = true
    soon(() => guarded(pass))
  }

  const unsubscribe = store.subscribe(ask)
  function stop(): void {
    isStopped = true
    unsubscribe()
  }
  ask()
  return { dropped: () => dropped, stop }
}

function isNewer(text: string | null): boolean {
  const version = text === null ? undefined : keys.schema.read(text).value
  return version !== undefined && Number(version) > schemaVersion
}

/** Promises of the modal, each followed to its end. */
import { Fault } from '../../runtime/failure.ts'
import type { Store } from '../../ui/store.ts'
import { hostAccount } from './host.ts'
import type { OpenOutcome } from './hostModal.ts'

/**
 * A destroyed modal keeps no host waiting.
 *
 * @param untilDestroyed calls its argument at the destruction, or when what it returns is called first
 * @returns the same outcome, or a rejection at the destruction
 */
export function orDestroyed<T>(asked: Promise<T>, untilDestroyed: (leave: () => void) => () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = untilDestroyed(() => reject(destroyed()))
    asked.then(resolve, reject).finally(forget)
  })
}

export function destroyed(): Fault {
  return new Fault('unsupported', 'this modal expected to be in use, it was destroyed')
}

/**
 * Call it once the modal is open.
 *
 * @param before address of the account when the modal was opened
 * @returns the outcome, and `leave`, which settles it as dismissed
 */
export function followOpening(
  store: Pick<Store, 'model' | 'subscribe'>,
  before: string | undefined,
): { outcome: Promise<OpenOutcome>; leave(): void } {
  let settle: (outcome: OpenOutcome) => void = () => undefined
  const outcome = new Promise<OpenOutcome>(resolve => (settle = resolve))
  let failed: string | undefined
  const stop = store.subscribe(() => {
    const model = store.model()
    const { attempt } = model.connection
    if (attempt.phase === 'failed') failed = attempt.failure.code
    else if (attempt.phase === 'asking') failed = undefined
    const account = hostAccount(model)
    if (account.isConnected && account.address !== before) end({ outcome: 'connected', account })
    else if (!model.screen.open) {
      if (model.tab.phase === 'blocked') failed = 'unsupported'
      if (model.tab.phase === 'outdated') failed = 'reload_needed'
      end(failed === undefined ? { outcome: 'dismissed' } : { outcome: 'failed', code: failed })
    }
  })
  function end(found: OpenOutcome): void {
    stop()
    settle(found)
  }
  return { outcome, leave: () => end({ outcome: 'dismissed' }) }
}

/** The screen that a host asks for by name and data. */
import type { Screen } from '../../events/subjects/page/screen.ts'
import { boundedText, type ConfigCheck, inNameOf, known, oneOf, present } from './config/configChecks.ts'
import { type HostView, hostViews } from './hostModal.ts'

const name = boundedText(1, 200)
/** Data of the screens that have any. */
const dataChecks: { readonly [V in HostView]?: Record<string, ConfigCheck> } = {
  WalletConnect: {
    wallet(value, key) {
      known(value, key, { walletId: name, name })
      for (const field of ['walletId', 'name']) present(value as object, field, `${key}.${field}`)
    },
  },
}

const checks: Record<string, ConfigCheck> = {
  view: oneOf(...hostViews),
  // The list has wallets of Solana alone
  namespace: oneOf('solana'),
}

/**
 * @param asked the argument of `open`, from a script
 * @returns the screen; undefined when the request leaves the choice to the modal
 * @throws Fault `bad_input` with one sentence for the first thing that is wrong
 */
export function wishedScreen(asked: unknown): Screen | undefined {
  const request = typeof asked === 'object' ? asked : { view: asked }
  const { view, data = {} } = Object(request) as { view?: HostView; data?: object }
  const ofView = (view !== undefined && Object.hasOwn(dataChecks, view) && dataChecks[view]) || {}
  inNameOf('open', () => known(request, 'config', { ...checks, data: (value, key) => known(value, key, ofView) }))
  return view === undefined ? undefined : ({ ...data, name: view } as Screen)
}

/** Entry of the package for pages built by a bundler: `import { createModal } from 'mai-modal'`. Safe to import on a server. */
import type { ModalConfig } from '../embed/config/hostConfig.ts'
import { type DeferredModal, deferModal } from './deferredModal.ts'

/**
 * Creates the modal of a page. Its code loads when the page is idle, or at the first call that needs it.
 *
 * @example
 * const modal = createModal({ projectId, metadata: { name, description, url, icons: [] } })
 * button.onclick = () => modal.open()
 */
function createPackagedModal(config: ModalConfig): DeferredModal {
  return deferModal(() => import('../embed/createModal.tsx'), config)
}

export { createPackagedModal as createModal }
export type { LiveFeatures } from '../embed/config/featuresConfig.ts'
export type { ModalConfig } from '../embed/config/hostConfig.ts'
export type {
  HostAccount,
  HostButton,
  HostEvents,
  HostModal,
  HostNetwork,
  HostView,
  ModalState,
  OpeningRequest,
  OpenOutcome,
  WalletInfo,
} from '../embed/hostModal.ts'
export type { SolanaSignedIn, SolanaSignIn } from '../embed/signing/signInWithSolana.ts'
export type { ThemeMode, ThemeVariables } from '../embed/theme.ts'
export type { Provider, ProviderOptions } from '../provider/provider.ts'
export type { SignedIn, SignInRequest } from '../signIn/signInAttempt.ts'
export type { DeferredModal } from './deferredModal.ts'

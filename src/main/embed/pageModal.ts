/** The presale page's own modal for other scripts of the page, loaded when one asks for it. */
import { builtAddresses } from '../config.ts'
import type { Page } from '../page/page.tsx'
import type { HostModal } from './hostModal.ts'
import { handleOf, type SharedModal, shareModal } from './sharedModal.ts'

let shared: SharedModal | undefined

/**
 * Gives a handle on the page's modal, which `destroy()` ends for its caller alone.
 *
 * @param config has no effect, since the page has its own; the console says so
 */
export function modalOfPage(page: Page, config?: object): HostModal {
  if (config && Object.keys(config).length > 0)
    console.warn('createModal: this page has a modal already, its own config holds')
  shared ??= {
    ...shareModal({
      page,
      element: document.documentElement,
      addresses: builtAddresses(),
      themeMode: 'system',
      end: () => undefined,
    }),
    // The page itself stays its user
    users: 1,
  }
  return handleOf(shared)
}

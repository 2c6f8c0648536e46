import type { HostChoice } from '../../events/wire.ts'
import type { UiConfig } from '../../ui/react.tsx'
import type { Addresses } from '../config.ts'

/** The settings of a page: service addresses, texts and links of its interface, and the host's choices for the core. */
export type PageSettings = {
  addresses: Addresses
  ui: UiConfig
  /** a BCP 47 tag; default: the person's choice on this device, else the browser's */
  language?: string
  /** the choices, or what reads and checks them while the runtime is loaded */
  host: HostChoice | (() => Promise<HostChoice>)
}

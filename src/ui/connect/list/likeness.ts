/** The words beside a wallet in this page whose name proves nothing: another one here, or a listed one, is named alike. */
import type { ConnectionView } from '../../../events/subjects/connection.ts'
import type { InstalledView } from '../../../events/subjects/installed.ts'

/** @returns whether a wallet here is the one of its name that an earlier connection knows, and no other is it too */
export function isKnown(walletKey: string, installed: InstalledView, made: ConnectionView['made']): boolean {
  const one = installed.find(here => here.walletKey === walletKey)
  if (one?.identity === undefined) return false
  const copies = installed.filter(here => here.identity === one.identity)
  return copies.length === 1 && Object.values(made).some(({ identity }) => identity === one.identity)
}

/** @param listed the listed wallet that it is named like */
export function likenessWords({ twin = false, known = false, listed }: Likeness): string | undefined {
  if (twin) return known ? 'Named like another here. Looks like the one you used.' : 'Named like another wallet here'
  return listed === undefined ? undefined : `Not ${listed}, only named like it`
}

export type Likeness = { twin?: boolean; known?: boolean; listed?: string | undefined }

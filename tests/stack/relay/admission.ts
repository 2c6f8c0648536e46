import type { IncomingMessage } from 'node:http'
import { checkAuth } from './auth.ts'
import type { Switches } from './switches.ts'

/** Decision about a socket that wants to open. */
export type Admission =
  | { kind: 'cut' }
  | { kind: 'status'; status: 401 | 403; reason: string }
  | { kind: 'close'; code: 1008 | 1013 | 3000 | 4010; reason: string }
  | { kind: 'open'; clientId: string }

/**
 * Decides about one upgrade. A wrong token gets close code 3000 if the client requested close codes, else HTTP 401; the switch
 * `refuseAuth` refuses every client in its own way.
 */
export function admit(
  request: IncomingMessage,
  { switches, hosts, nowMs }: { switches: Switches; hosts: string[]; nowMs: number },
): Admission {
  if (switches.down) return { kind: 'cut' }
  const query = new URL(request.url ?? '/', 'ws://relay').searchParams
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const auth = checkAuth({ token: bearer ?? query.get('auth') ?? '', hosts, nowMs })
  const reason = auth.ok ? switches.refusal : auth.reason
  const byCode = query.get('useOnCloseEvent') === 'true'
  const way = switches.refuseAuth !== 'off' ? switches.refuseAuth : auth.ok ? 'none' : byCode ? '3000' : '401'
  if (way === '401' || way === '403') return { kind: 'status', status: way === '401' ? 401 : 403, reason }
  if (way !== 'none') return { kind: 'close', code: Number(way) as 1008 | 1013 | 3000 | 4010, reason }
  return auth.ok ? { kind: 'open', clientId: auth.clientId } : { kind: 'status', status: 401, reason }
}

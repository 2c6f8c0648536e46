/** Faults of a node, set per method through the control endpoint. */
export type Fault = { times?: number } & (
  | { kind: 'latency'; ms: number }
  | { kind: 'drop' }
  | { kind: 'status'; status: number; retryAfter?: number }
  | { kind: 'html' }
  | { kind: 'null' }
  | { kind: 'lag'; slots: number }
  | { kind: 'wrongGenesis' }
  | { kind: 'lie'; lamports: string }
  | { kind: 'dropTransaction' }
  | { kind: 'hold' }
  | { kind: 'silent' }
  | { kind: 'overlap' }
  | { kind: 'twice' }
)

export type FaultKind = Fault['kind']

/** Faults of the connection, before any answer; the others change the answer itself. */
export const TRANSPORT_FAULTS: FaultKind[] = ['latency', 'drop', 'status', 'html']

/** The numbers each kind needs. */
const FIELDS: Record<FaultKind, string[]> = {
  latency: ['ms'],
  drop: [],
  status: ['status'],
  html: [],
  null: [],
  lag: ['slots'],
  wrongGenesis: [],
  lie: ['lamports'],
  dropTransaction: [],
  hold: [],
  silent: [],
  overlap: [],
  twice: [],
}

export type Faults = {
  /** replaces every fault; `{}` clears. Throws a sentence when one cannot be read */
  set(byMethod: unknown): void
  /** the fault for a method if it is of one of these kinds, counting it as used once; `*` stands for every method */
  take(method: string, kinds: FaultKind[]): Fault | undefined
  list(): Record<string, Fault>
}

export function createFaults(): Faults {
  let active = new Map<string, Fault>()
  return {
    set(byMethod) {
      if (byMethod === null || typeof byMethod !== 'object' || Array.isArray(byMethod))
        throw new Error(`faults expected a record from method to fault, got ${JSON.stringify(byMethod)}`)
      active = new Map(Object.entries(byMethod).map(([method, fault]) => [method, readFault(method, fault)]))
    },
    take(method, kinds) {
      for (const name of [method, '*']) {
        const fault = active.get(name)
        if (!fault || !kinds.includes(fault.kind)) continue
        if (fault.times !== undefined && --fault.times <= 0) active.delete(name)
        return fault
      }
      return undefined
    },
    list: () => Object.fromEntries(active),
  }
}

function readFault(method: string, value: unknown): Fault {
  const given = (value ?? {}) as Record<string, unknown>
  const kind = String(given.kind)
  if (!Object.hasOwn(FIELDS, kind)) {
    const known = Object.keys(FIELDS).join(', ')
    throw new Error(`fault of ${method} expected kind ${known}; got ${JSON.stringify(given.kind)}`)
  }
  const fault: Record<string, unknown> = { kind }
  const optional = ['times', 'retryAfter'].filter(field => given[field] !== undefined)
  for (const field of [...FIELDS[kind as FaultKind], ...optional]) {
    const text = String(given[field])
    if (!/^(0|[1-9][0-9]{0,18})$/.test(text)) {
      const got = JSON.stringify(given[field])
      throw new Error(`fault ${kind} of ${method} expected ${field} as a whole number, got ${got}`)
    }
    fault[field] = field === 'lamports' ? text : Number(text)
  }
  const status = fault.status as number | undefined
  if (status !== undefined && (status < 200 || status > 599))
    throw new Error(`fault status of ${method} expected a status from 200 to 599, got ${status}`)
  return fault as Fault
}

/** Replaces the lamports of plain accounts in an answer: a lying node. */
export function lying(method: string, result: unknown, lamports: string): unknown {
  const claim = BigInt(lamports)
  const answer = result as { context?: unknown; value?: unknown }
  const plain = (account: unknown) => {
    const known = account as { lamports?: bigint; space?: number } | null
    return known?.lamports !== undefined && known.space === 0 ? { ...known, lamports: claim } : account
  }
  if (method === 'getBalance') return { ...answer, value: claim }
  if (method === 'getAccountInfo') return { ...answer, value: plain(answer.value) }
  if (method === 'getMultipleAccounts' && Array.isArray(answer.value))
    return { ...answer, value: answer.value.map(plain) }
  return result
}

/** How the relay misbehaves at the moment. */
export type Switches = {
  /** Refuse every socket: by HTTP status, or by closing it with this code right after it opened. */
  refuseAuth: 'off' | '401' | '3000' | '4010'
  /** Every push is sent twice. */
  duplicate: boolean
  /** Answers and pushes wait this long, in ms. */
  delayMs: number
  /** Pushes go out in pairs, the later one first; one without a follower waits 60 ms. */
  reorder: boolean
  /** Sockets open but nothing is read, answered, pushed or ponged. */
  silent: boolean
  /** `wc_proposeSession` and `wc_approveSession` are unknown methods. */
  refuseComposite: boolean
  /** Refuse new sockets and cut the present ones; this control door stays open. */
  down: boolean
  /** This many publishes, composites included, get a JSON-RPC error and are not stored. */
  failPublishes: number
  /** This many publishes, composites included, are stored and passed on, but never answered. */
  loseAnswers: number
}

/** What happens once, at the moment of the call. */
export type Acts = {
  /** Cut every open socket without a closing handshake, or close them with this code. */
  dropSockets?: boolean | number
  /** Send what no relay should send to every open socket: all kinds, or one of them. */
  garbage?: boolean | 'text' | 'binary' | 'shape' | 'envelope'
}

/** A body of `POST /control`. */
export type Control = Partial<Switches> & Acts

/** A relay that behaves. */
export const behaving: Switches = {
  refuseAuth: 'off',
  duplicate: false,
  delayMs: 0,
  reorder: false,
  silent: false,
  refuseComposite: false,
  down: false,
  failPublishes: 0,
  loseAnswers: 0,
}

const garbageKinds = ['text', 'binary', 'shape', 'envelope']

/** Reads a control body; the error is a sentence naming the switch. */
export function readControl(value: unknown): Control | { error: string } {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return { error: 'control expected an object of switches' }
  const control: Record<string, unknown> = {}
  for (const [name, set] of Object.entries(value)) {
    const problem = check(name, set)
    if (problem) return { error: `relay control: ${name} ${problem}, got ${JSON.stringify(set)}` }
    control[name] = name === 'refuseAuth' && set === false ? 'off' : set
  }
  return control as Control
}

function check(name: string, set: unknown): string | undefined {
  if (name === 'refuseAuth') {
    return set === false || ['off', '401', '3000', '4010'].includes(set as string)
      ? undefined
      : "expected 'off', '401', '3000' or '4010'"
  }
  if (name === 'dropSockets') {
    return typeof set === 'boolean' || (Number.isInteger(set) && (set as number) >= 1000 && (set as number) < 5000)
      ? undefined
      : 'expected a boolean or a close code'
  }
  if (name === 'garbage') {
    return typeof set === 'boolean' || garbageKinds.includes(set as string)
      ? undefined
      : `expected a boolean or one of ${garbageKinds.join(', ')}`
  }
  if (!Object.hasOwn(behaving, name)) return 'is no switch'
  const wanted = typeof behaving[name as keyof Switches]
  if (typeof set !== wanted) return `expected a ${wanted}`
  return wanted === 'number' && !(Number.isInteger(set) && (set as number) >= 0 && (set as number) <= 600_000)
    ? 'expected a whole number from 0 to 600000'
    : undefined
}

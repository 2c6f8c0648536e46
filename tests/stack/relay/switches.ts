/** Current faults of the relay. */
export type Switches = {
  /** Refuse every socket: by HTTP status, or by closing it with this code right after it opened. */
  refuseAuth: 'off' | '401' | '403' | '1008' | '1013' | '3000' | '4010'
  /** Reason text of a refusal by close code. */
  refusal: string
  /** Plain HTTP requests also get the status that refuses their token; else they are answered normally. */
  tellsStatus: boolean
  /** Every push is sent twice. */
  duplicate: boolean
  /** Delay of answers and pushes, ms. */
  delayMs: number
  /** Pushes go out in reversed pairs; one without a follower waits 60 ms. */
  reorder: boolean
  /** Sockets open but nothing is read, answered, pushed or ponged. */
  silent: boolean
  /** `wc_proposeSession` and `wc_approveSession` are unknown methods. */
  refuseComposite: boolean
  /** `irn_publish` is an unknown method for a proposal (tag 1100): only `wc_proposeSession` carries one. */
  refusePlainProposal: boolean
  /** Further unknown methods. */
  unknownMethods: string[]
  /** Refuse new sockets and cut open ones, and plain requests likewise; the control endpoint stays open. */
  down: boolean
  /** Number of publishes, composites included, answered with a JSON-RPC error and not stored. */
  failPublishes: number
  /** Number of publishes, composites included, stored and pushed but never answered. */
  loseAnswers: number
  /** Number of calls of any method answered with an error and not carried out. */
  failCalls: number
  /** Number of calls of any method ignored. */
  loseCalls: number
  /** Number of pushes lost; resent after the next subscription to their topic. */
  losePushes: number
  /** Calls are carried out but not answered; pushes go out. */
  mute: boolean
  /** Form of push ids: 19 digits beyond a double, 15 digits, or text. */
  pushIds: 'long' | 'short' | 'text'
  /** Limit of topics or messages per call. */
  batchLimit: number
  /** Limit of messages per answer to a fetch. */
  fetchPage: number
}

/** Single actions, at the moment of the call. */
export type Acts = {
  /** Cut every open socket without a closing handshake, or close them with this code. */
  dropSockets?: boolean | number
  /** Send invalid frames to every open socket: all kinds, or one. */
  garbage?: boolean | 'text' | 'binary' | 'shape' | 'envelope'
  /** Client id excluded from the garbage. */
  sparing?: string
}

/** A body of `POST /control`. */
export type Control = Partial<Switches> & Acts

/** No faults. */
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
  refusal: 'relay auth: refused by a switch',
  tellsStatus: true,
  refusePlainProposal: false,
  unknownMethods: [],
  failCalls: 0,
  loseCalls: 0,
  losePushes: 0,
  mute: false,
  pushIds: 'long',
  batchLimit: 500,
  fetchPage: 500,
}

const words: Partial<Record<keyof Switches, readonly string[]>> = {
  refuseAuth: ['off', '401', '403', '1008', '1013', '3000', '4010'],
  pushIds: ['long', 'short', 'text'],
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
  const choices = words[name as keyof Switches]
  if (choices) {
    return (name === 'refuseAuth' && set === false) || choices.includes(set as string)
      ? undefined
      : `expected one of ${choices.join(', ')}`
  }
  if (name === 'dropSockets') {
    return typeof set === 'boolean' || (Number.isInteger(set) && (set as number) >= 1000 && (set as number) < 5000)
      ? undefined
      : 'expected a boolean or a close code'
  }
  if (name === 'sparing') return typeof set === 'string' ? undefined : 'expected client ids with commas between them'
  if (name === 'garbage') {
    return typeof set === 'boolean' || garbageKinds.includes(set as string)
      ? undefined
      : `expected a boolean or one of ${garbageKinds.join(', ')}`
  }
  if (!Object.hasOwn(behaving, name)) return 'is no switch'
  if (name === 'unknownMethods')
    return Array.isArray(set) && set.every(one => typeof one === 'string') ? undefined : 'expected a list of names'
  const wanted = typeof behaving[name as keyof Switches]
  if (typeof set !== wanted) return `expected a ${wanted}`
  return wanted === 'number' && !(Number.isInteger(set) && (set as number) >= 0 && (set as number) <= 600_000)
    ? 'expected a whole number from 0 to 600000'
    : undefined
}

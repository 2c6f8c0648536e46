/** How the relay misbehaves at the moment. */
export type Switches = {
  /** Refuse every socket: by HTTP status, or by closing it with this code right after it opened. */
  refuseAuth: 'off' | '401' | '403' | '1008' | '1013' | '3000' | '4010'
  /** The words a refusal by close code gives. */
  refusal: string
  /** A plain HTTP request gets the status that refuses its token, too; else it is answered like any. */
  tellsStatus: boolean
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
  /** `irn_publish` is an unknown method for a proposal (tag 1100): only `wc_proposeSession` carries one. */
  refusePlainProposal: boolean
  /** These are unknown methods. */
  unknownMethods: string[]
  /** Refuse new sockets and cut the present ones, and plain requests in their place; this control door stays open. */
  down: boolean
  /** This many publishes, composites included, get a JSON-RPC error and are not stored. */
  failPublishes: number
  /** This many publishes, composites included, are stored and passed on, but never answered. */
  loseAnswers: number
  /** This many calls of any method get a JSON-RPC error, and nothing comes of them. */
  failCalls: number
  /** This many calls of any method are not heard at all. */
  loseCalls: number
  /** This many pushes get lost on their way; they come again after the next subscription to their topic. */
  losePushes: number
  /** Calls are carried out, but none is answered; pushes go out. */
  mute: boolean
  /** What ids of pushes look like: 19 digits that no double holds, 15 digits, or a text. */
  pushIds: 'long' | 'short' | 'text'
  /** At most this many topics or messages in one call. */
  batchLimit: number
  /** At most this many messages in one answer to a fetch. */
  fetchPage: number
}

/** What happens once, at the moment of the call. */
export type Acts = {
  /** Cut every open socket without a closing handshake, or close them with this code. */
  dropSockets?: boolean | number
  /** Send what no relay should send to every open socket: all kinds, or one of them. */
  garbage?: boolean | 'text' | 'binary' | 'shape' | 'envelope'
  /** The client with this id is spared the garbage. */
  sparing?: string
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

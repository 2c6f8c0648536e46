/** All faults of the stack's relay, each as a run of the whole story. */
import type { Model } from '../../src/events/app.ts'
import type { Acts, Control, Switches } from '../stack/relay/switches.ts'

export type FaultRun = {
  name: string
  /** the switches and acts of the relay it uses */
  covers: readonly (keyof Switches | keyof Acts)[]
  /** on for the whole story */
  always?: Control
  /** repeated before each step */
  each?: Control
  /** active from before the first press until the model shows it, then healed, and the person returns */
  first?: { control: Control; until: (model: Model) => boolean; heal: Control }
  /** sent in each step once the relay is in this state, this much later, ms */
  after?: { once(switches: Switches): boolean; ms: number; control: Control }
  /** sent when our client has recovered from a loss from which the kit never would */
  back?: Control
  /** limit of a step, ms; the official kit resends lost messages only after 15 s, and they may be lost twice */
  limitMs?: number
  /** runs in `npm test`, too */
  quick?: true
}

const isRefused = ({ relay }: Model) => relay.phase === 'refused'
const isLost = ({ relay }: Model) => relay.phase === 'lost'
const isConnected = ({ relay }: Model) => relay.phase === 'connected'
const slow = 90_000

/** Connections are refused in one way or another until the person returns. */
const refusal = (
  refuseAuth: Switches['refuseAuth'],
  { until = isRefused, more = {} }: { until?: (model: Model) => boolean; more?: Partial<Switches> } = {},
): FaultRun => ({
  name: `refused with ${refuseAuth}${Object.keys(more).length > 0 ? ` and ${Object.keys(more).join()}` : ''}`,
  covers: ['refuseAuth', ...(Object.keys(more) as (keyof Switches)[])],
  first: { control: { refuseAuth, ...more }, until, heal: { refuseAuth: 'off' } },
})

export const faultRuns: readonly FaultRun[] = [
  { name: 'plain', covers: [], quick: true },
  { name: 'every push twice', covers: ['duplicate'], always: { duplicate: true }, quick: true },
  { name: 'pushes out of order', covers: ['reorder'], always: { reorder: true }, quick: true },
  { name: 'a slow relay', covers: ['delayMs'], always: { delayMs: 400 } },
  {
    name: 'no composite proposal',
    covers: ['unknownMethods'],
    always: { unknownMethods: ['wc_proposeSession'] },
    quick: true,
  },
  {
    name: 'no composite methods until the proposal is out',
    covers: ['refuseComposite'],
    // The official wallet knows no other way to approve
    first: { control: { refuseComposite: true }, until: isProposed, heal: { refuseComposite: false } },
  },
  { name: 'composite proposals alone', covers: ['refusePlainProposal'], always: { refusePlainProposal: true } },
  {
    name: 'no fetching of messages',
    covers: ['unknownMethods'],
    always: { unknownMethods: ['irn_fetchMessages', 'irn_batchFetchMessages'] },
  },
  { name: 'push ids of 15 digits', covers: ['pushIds'], always: { pushIds: 'short' } },
  { name: 'push ids in text', covers: ['pushIds'], always: { pushIds: 'text' } },
  // The kit requests all of its topics in one call, for ever
  { name: 'one topic at a time', covers: ['batchLimit'], always: { batchLimit: 1 }, back: { batchLimit: 500 } },
  { name: 'one message a fetch', covers: ['fetchPage'], always: { fetchPage: 1 } },
  refusal('401'),
  // A browser cannot see the refusal then, so the client retries
  refusal('401', { until: isLost, more: { tellsStatus: false } }),
  refusal('403'),
  refusal('1008'),
  refusal('1013', { until: isLost }),
  refusal('3000', { more: { refusal: 'JWT Token is not yet valid' } }),
  refusal('3000'),
  refusal('4010', { until: isLost }),
  { name: 'down at first', covers: ['down'], first: { control: { down: true }, until: isLost, heal: { down: false } } },
  {
    name: 'silent at first',
    covers: ['silent'],
    first: { control: { silent: true }, until: isConnected, heal: { silent: false } },
    limitMs: slow,
  },
  {
    name: 'mute at first',
    covers: ['mute'],
    first: { control: { mute: true }, until: isConnected, heal: { mute: false } },
    limitMs: slow,
  },
  { name: 'a publish fails in each step', covers: ['failPublishes'], each: { failPublishes: 1 }, limitMs: slow },
  { name: 'a call fails in each step', covers: ['failCalls'], each: { failCalls: 1 }, limitMs: slow },
  { name: 'an answer is lost in each step', covers: ['loseAnswers'], each: { loseAnswers: 1 }, limitMs: slow },
  { name: 'a call is lost in each step', covers: ['loseCalls'], each: { loseCalls: 1 }, limitMs: slow },
  {
    name: 'a push is lost in each step, and every socket after it',
    covers: ['losePushes', 'dropSockets'],
    each: { losePushes: 1 },
    // The kit receives lost messages only after a new subscription
    after: { once: ({ losePushes }) => losePushes === 0, ms: 500, control: { dropSockets: true } },
    limitMs: slow,
  },
  { name: 'every socket cut in each step', covers: ['dropSockets'], each: { dropSockets: true }, limitMs: slow },
  { name: 'every socket closed in each step', covers: ['dropSockets'], each: { dropSockets: 1012 }, limitMs: slow },
  { name: 'garbage in each step', covers: ['garbage'], each: { garbage: true } },
  ...(['text', 'binary', 'shape', 'envelope'] as const).map(
    (garbage): FaultRun => ({ name: `garbage of kind ${garbage}`, covers: ['garbage'], each: { garbage } }),
  ),
]

function isProposed({ pairing }: Model): boolean {
  return Object.values(pairing.open).some(({ phase }) => phase === 'proposed')
}

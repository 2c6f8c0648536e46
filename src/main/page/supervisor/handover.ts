import type { Handover } from '../../../runtime/wire.ts'

/** Notices for the person who asked the tab of another build for the lead, when it refuses. */
export const refusedHandover: { [answer in Handover]: string | undefined } = {
  taken: undefined,
  busy: 'An order is open in the other tab. Finish it there, then continue here.',
  silent: 'The other tab does not answer. Close it to continue here.',
}

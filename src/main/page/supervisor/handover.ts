import type { Core } from '../../../events/wire.ts'
import type { Handover } from '../../../runtime/wire.ts'

const words: { [answer in Handover]: string | undefined } = {
  taken: undefined,
  busy: 'An order is open in the other tab. Finish it there, then continue here.',
  silent: 'The other tab does not answer. Close it to continue here.',
}

/** Asks the tab of another build for the lead. @returns the notice for the person when it refuses */
export async function refusedHandover(core: Core | undefined): Promise<string | undefined> {
  return words[(await core?.takeOver().catch(() => undefined)) ?? 'silent']
}

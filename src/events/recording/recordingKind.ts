/** Recordings of this product. */
import type { RecordingHeader, RecordingKind } from '../../runtime/recording/recordingHeader.ts'

/**
 * `plain`: as on the device. `standIns`: tokens for keys and stand-ins for measures, still re-executable. `blanked`: measures
 * blanked, for viewing only. Older builds wrote `tokens` and `view` for the last two, left the sale's addresses and all times,
 * and in `tokens` all amounts and slots: such a file identifies its buyer.
 */
const redactions = ['plain', 'standIns', 'blanked', 'tokens', 'view'] as const
export type Redaction = (typeof redactions)[number]

export const recordingKind = { format: 'mai-recording', redactions, restating: 'tab.restated' } satisfies RecordingKind

/** @returns whether measures are blanked, which rules out re-execution */
export function isForLooking({ redaction }: Pick<RecordingHeader, 'redaction'>): boolean {
  return redaction === 'blanked' || redaction === 'view'
}

import { later } from '../drivers/later.ts'

const part = later('saving a recording', () => import('./recordingText.ts'))

/** Brings what writes recordings. @throws Fault `reload_needed` when it is gone from the server */
export const loadRecordingText = part.get

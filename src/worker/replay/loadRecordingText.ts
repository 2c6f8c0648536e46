import { later } from '../../runtime/later.ts'

const part = later('saving a recording', () => import('./recordingText.ts'))

/** Loads the code that writes recordings. @throws Fault `reload_needed` when its file is gone */
export const loadRecordingText = part.get

/** Redacts a log for its visitor: no personal values, and re-executable where possible. */
import { readRecording } from '../../../events/recording/readRecording.ts'
import { deciders } from '../../../worker/deciders/index.ts'
import { redactRecording } from '../../../worker/replay/redactRecording.ts'
import { sha256Hex } from '../../../worker/drivers/digest.ts'

/**
 * @param plain a recording's text, not redacted
 * @param settings `key` is random and used once; `build` is that of the running core
 * @returns a recording with policy `tokens`; with `view` when this build cannot re-execute the log
 * @throws Fault `bad_input` for text that is no recording
 */
export async function redactText(plain: string, settings: { key: string; build: string }): Promise<string> {
  const recording = await readRecording(plain, sha256Hex)
  const redacted = (policy: 'tokens' | 'view') =>
    redactRecording(recording, { ...settings, policy, deciders }, sha256Hex)
  // A log that cannot be re-executed can still be viewed
  const { text } = await redacted('tokens').catch(() => redacted('view'))
  return text
}

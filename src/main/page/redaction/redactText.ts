/** What a visitor gets of a log: a recording without personal values, re-executable wherever it can be. */
import { readRecording } from '../../../events/recording/readRecording.ts'
import { deciders } from '../../../worker/deciders/index.ts'
import { redactRecording } from '../../../worker/replay/redactRecording.ts'
import { sha256Hex } from '../../../worker/drivers/digest.ts'

/**
 * @param plain a recording's text as it lies on the device
 * @param settings `key` by chance and used once, `build` of the core that runs
 * @returns the `tokens` recording's text; the `view` one of a log that this build does not re-execute
 * @throws Fault `bad_input` for text that is no recording
 */
export async function redactText(plain: string, settings: { key: string; build: string }): Promise<string> {
  const recording = await readRecording(plain, sha256Hex)
  const redacted = (policy: 'tokens' | 'view') =>
    redactRecording(recording, { ...settings, policy, deciders }, sha256Hex)
  // Whatever keeps the core from running it again, it can be looked at
  const { text } = await redacted('tokens').catch(() => redacted('view'))
  return text
}

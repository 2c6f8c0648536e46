import { describe, expect, test } from 'vitest'
import { readRecording } from '../../../../src/events/recording/readRecording.ts'
import { sha256Hex } from '../../../../src/worker/drivers/digest.ts'
import { redactText } from '../../../../src/main/page/redaction/redactText.ts'
import { deciders } from '../../../../src/worker/deciders/index.ts'
import { reexecute } from '../../../../src/worker/replay/reexecute.ts'
import { account, connectedLog, recordingOf } from '../../../events/recordedLog.ts'

const settings = { key: 'a key', build: 'core-build' }
const lines = connectedLog()
const redacted = async (given: readonly string[]) => {
  const text = await redactText(await recordingOf(given), settings)
  return { text, recording: await readRecording(text, sha256Hex) }
}

describe('a visitor’s saved recording', () => {
  test('has tokens for personal values and re-executes', async () => {
    const { text, recording } = await redacted(lines)
    expect(recording.header.redaction).toBe('standIns')
    expect(reexecute(recording.records, deciders, { build: 'core-build' })).toMatchObject({ ok: true })
    expect(text).not.toContain(account)
  })

  test.each([
    ['that this build does otherwise', lines.map(line => line.replace('"attemptId":"', '"attemptId":"x'))],
    [
      'of a newer build, with an input that is not known here',
      [...lines, '{"k":"i","n":9,"at":1800000009000,"type":"page.tilted","v":1,"data":{"by":"somebody"}}'],
    ],
  ])('of a log %s can be viewed, without names and amounts', async (_what, given) => {
    const { text, recording } = await redacted(given)
    expect(recording.header.redaction).toBe('blanked')
    expect(recording.records).toHaveLength(given.length)
    expect(text).not.toContain(account)
    expect(text).not.toContain('somebody')
  })

  test('is undefined when the text is no recording', async () => {
    await expect(redactText('Dear team, it does not work.', settings)).rejects.toThrow(/this is not a recording/)
  })
})

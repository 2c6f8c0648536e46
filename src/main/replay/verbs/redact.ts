/** Takes what is personal out of recordings, so that they may leave the machine. */
import { printable } from '../../../runtime/replay/describe.ts'
import { toFailure } from '../../../runtime/failure.ts'
import { type Policy, redactionBy } from '../../../events/recording/redact.ts'
import { shellWord } from '../../../events/replay/shellWord.ts'
import { counts } from '../../../runtime/replay/verdict.ts'
import { deciders } from '../../../worker/deciders/index.ts'
import { redactRecording } from '../../../worker/replay/redactRecording.ts'
import { sha256Hex } from '../../../worker/drivers/digest.ts'
import { readRecordingAt, recordingsIn } from '../files.ts'
import { type ExitCode, type Io, refused, safeJson, type Verb } from '../verb.ts'
import { beside, save } from '../write.ts'

export const redact: Verb = {
  takes: 'FILE… [--view] [-o OUT] [--json]',
  summary: 'replaces addresses, topics, ids, names, amounts and dates; the result still re-executes',
  about: `Writes a recording in which every personal value, and every key of the sale, is a token: equal where the values were
equal, and of the same form. Amounts, slots and dates have stand-ins in the same order, and the core decides the same by them.
A payment in it can still be found by the time between it and another payment or a change of the sale. With --view amounts
are blanked: it can be looked at, not re-executed, and it is what a recording that does not re-execute on this build can become. Tokens are drawn anew each time and nothing keeps
which belongs to what. Folders stand for every .jsonl and .jsonl.gz below them; what is redacted so already is left alone.
Exit code: 0 all are redacted, 2 one cannot be read, re-executed or written.`,
  options: {
    view: { about: 'blank amounts as well: for looking only' },
    out: {
      value: 'OUT',
      short: 'o',
      about: 'where the result of one file goes; beside it as .tokens.replay.jsonl or .view.replay.jsonl unless told',
    },
    json: { about: 'one JSON object a recording: {"file", "out", "redaction", "records", "dropped"}' },
  },
  async run({ words, flags, values }, io) {
    const files = await recordingsIn(words)
    const out = values.out?.[0]
    if (out !== undefined && files.length > 1)
      throw refused(`-o expected one file, got ${files.length}: without it each result stands beside its file`)
    const policy = flags.has('view') ? 'view' : 'tokens'
    const json = flags.has('json')
    let code: ExitCode = 0
    for (const file of files) {
      try {
        const done = await redacted(file, { policy, out }, io)
        io.out.write(json ? `${safeJson(done)}\n` : told(done))
      } catch (fault) {
        const { code: kind, message } = toFailure(fault)
        if (kind === 'unknown') console.error(fault)
        const hint = kind === 'unsupported' && policy === 'tokens' ? '; --view makes one for looking only' : ''
        const prefix = message.startsWith(file) ? '' : `${file}: `
        if (json) io.out.write(`${safeJson({ file, error: message })}\n`)
        else io.err.write(`${printable(prefix + message + hint)}\n`)
        code = 2
      }
    }
    return code
  },
}

/** `out` is absent for a file that was redacted so already. */
type Done = { file: string; out?: string; redaction: Policy; records: number; dropped: Record<string, number> }

async function redacted(
  file: string,
  { policy, out }: { policy: Policy; out: string | undefined },
  { build }: Io,
): Promise<Done> {
  const recording = await readRecordingAt(file)
  const records = recording.records.length
  if (recording.header.redaction === redactionBy[policy] && out === undefined)
    return { file, redaction: policy, records, dropped: {} }
  const key = crypto.randomUUID()
  const { text, dropped } = await redactRecording(recording, { policy, key, build, deciders }, sha256Hex)
  const path = out ?? beside(file, policy)
  await save(path, text, file)
  return { file, out: path, redaction: policy, records, dropped }
}

function told({ file, out, redaction, records, dropped }: Done): string {
  if (out === undefined) return `${printable(file)}: redacted already, nothing was written\n`
  const kept = redaction === 'tokens' ? 'amounts and times by stand-ins' : 'amounts blanked'
  const lost = Object.entries(dropped).map(
    ([type, count]) =>
      `  ${counts(count, 'record')} of ${printable(type)} lost its data: this build does not know what is personal in it\n`,
  )
  return `${printable(file)}: ${counts(records, 'record')}, personal values replaced by tokens, ${kept}; written to ${shellWord(out)}\n${lost.join('')}`
}

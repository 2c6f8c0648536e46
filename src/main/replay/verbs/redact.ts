/** Redacts recordings, so that they may leave the machine. */
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
equal, and of the same form. Amounts, slots and dates have stand-ins in the same order, by which the core decides the same.
A payment can still be found on the chain by the time between it and another payment or a change of the sale. With --view
amounts are blanked: the result can be viewed, not re-executed. A recording that this build cannot re-execute needs --view.
Tokens are random each time, and no table of them is stored. A folder means every .jsonl and .jsonl.gz below it; files
redacted in this way already are skipped.
Exit code: 0 all are redacted, 2 one cannot be read, re-executed or written.`,
  options: {
    view: { about: 'blank amounts as well: the result can only be viewed' },
    out: {
      value: 'OUT',
      short: 'o',
      about: "the result's path, for one file; default: beside it as .tokens.replay.jsonl or .view.replay.jsonl",
    },
    json: { about: 'one JSON object per recording: {"file", "out", "redaction", "records", "dropped"}' },
  },
  async run({ words, flags, values }, io) {
    const files = await recordingsIn(words)
    const out = values.out?.[0]
    if (out !== undefined && files.length > 1)
      throw refused(`-o expected one file, got ${files.length}; without -o each result is written beside its file`)
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
        const hint = kind === 'unsupported' && policy === 'tokens' ? '; --view writes one that can be viewed' : ''
        const prefix = message.startsWith(file) ? '' : `${file}: `
        if (json) io.out.write(`${safeJson({ file, error: message })}\n`)
        else io.err.write(`${printable(prefix + message + hint)}\n`)
        code = 2
      }
    }
    return code
  },
}

/** `out` is absent for a file that was redacted in this way already. */
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
      `  ${counts(count, 'record')} of ${printable(type)} lost its data: this build does not know which values in it are personal\n`,
  )
  return `${printable(file)}: ${counts(records, 'record')}, personal values replaced by tokens, ${kept}; written to ${shellWord(out)}\n${lost.join('')}`
}

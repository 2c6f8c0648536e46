/** The two verdicts on a recording: strict re-execution, and its wish. */
import type { Recording } from '../../runtime/recording/recording.ts'
import { differenceReport, type Verdict, verdictLine } from '../../runtime/replay/verdict.ts'
import { shellWord } from '../../events/replay/shellWord.ts'
import { type Divergence, divergenceLines, divergenceOf } from './divergence.ts'
import { strict } from './strict.ts'
import { judgeWish, type Wish, wishLines, type WishVerdict } from './wish.ts'

/** `divergence` is present when the wish holds and the recording still has the bug's outcome. */
type Verdicts = { ok: boolean; verdict: Verdict; wish?: WishVerdict; divergence?: Divergence }

/** @throws the faults of `strict`; Fault `bad_input` for a wish about an input that the recording does not have */
export function verdictsOn(recording: Recording, wish: Wish | undefined, build: string): Verdicts {
  const verdict = strict(recording, build)
  if (!wish) return { ok: verdict.ok, verdict }
  const wished = judgeWish(recording.records, wish)
  const both = { ok: verdict.ok && wished.ok, verdict, wish: wished }
  const divergence = wished.ok && !verdict.ok ? divergenceOf(recording.records) : undefined
  return divergence ? { ...both, divergence } : both
}

/** @param file path in the printed command that repeats the check */
export function verdictLines(
  { verdict, wish, divergence }: Verdicts,
  { coreBuild }: Recording['header'],
  file: string,
  build: string,
): string {
  const again = `npm run replay -- check ${shellWord(file)}`
  const report = verdict.ok
    ? ''
    : `${differenceReport(verdict.difference, { recorded: coreBuild, running: build }, again)}\n`
  if (!wish) return `${report}${verdictLine(verdict)}\n`
  const next = divergence
    ? `${divergenceLines(divergence)}npm run record -- --rerun writes the core's present output into the recording\n`
    : ''
  return `${report}as recorded: ${verdictLine(verdict)}\n${wishLines(wish)}${next}`
}

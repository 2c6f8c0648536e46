/** The two verdicts on a recording: whether it comes out as recorded, and whether its wish holds. */
import type { Recording } from '../../runtime/recording/recording.ts'
import { differenceReport, type Verdict, verdictLine } from '../../runtime/replay/verdict.ts'
import { shellWord } from '../../events/replay/shellWord.ts'
import { type Divergence, divergenceLines, divergenceOf } from './divergence.ts'
import { strict } from './strict.ts'
import { judgeWish, type Wish, wishLines, type WishVerdict } from './wish.ts'

/** `parting` is there when the wish holds and the recording still tells the bug. */
export type Verdicts = { ok: boolean; verdict: Verdict; wish?: WishVerdict; divergence?: Divergence }

/** @throws Fault as `strict` does, and for a wish about an input that the recording does not have */
export function verdictsOn(recording: Recording, wish: Wish | undefined, build: string): Verdicts {
  const verdict = strict(recording, build)
  if (!wish) return { ok: verdict.ok, verdict }
  const wished = judgeWish(recording.records, wish)
  const both = { ok: verdict.ok && wished.ok, verdict, wish: wished }
  const divergence = wished.ok && !verdict.ok ? divergenceOf(recording.records) : undefined
  return divergence ? { ...both, divergence } : both
}

/** @param file for the command that runs it again */
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
    ? `${divergenceLines(divergence)}npm run record -- --rerun writes what the core says now\n`
    : ''
  return `${report}as recorded: ${verdictLine(verdict)}\n${wishLines(wish)}${next}`
}

import { Fault } from '../../../src/runtime/failure.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import { type Finding, findingText, saleFindings } from '../check.ts'
import type { Work } from './work.ts'

/**
 * Holds the terms against the chain before something is sent; errors and refused warnings go to standard error, a line each, and in
 * any case a warning of the treasury's history: after the terms are announced it is too late for another treasury.
 *
 * @param options as `saleFindings`; `acceptWarnings`: errors alone stop
 * @throws Fault `terms_invalid` for errors, `bad_input` for warnings
 */
export async function passCheck(
  work: Work,
  { acceptWarnings, ...options }: { reserve: string | undefined; strict: boolean; acceptWarnings: boolean },
): Promise<void> {
  const { sale, io } = work
  const findings = await saleFindings(sale, work, { ...options, io })
  const counted = (level: Finding['level']) => findings.filter(finding => finding.level === level)
  const [errors, warnings] = [counted('error'), acceptWarnings ? [] : counted('warning')]
  const history = findings.filter(({ code, level }) => code === 'TERMS_TREASURY_HISTORY' && level === 'warning')
  io.err.write([...new Set([...errors, ...warnings, ...history])].map(findingText).join(''))
  if (errors.length > 0)
    throw new Fault('terms_invalid', `the terms expected to fit the chain, got errors: ${errors.length}`)
  if (warnings.length > 0) throw refused(`expected no warning, or --accept-warnings, got warnings: ${warnings.length}`)
}

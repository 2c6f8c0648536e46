import { useMemo } from 'react'
import { printable } from '../../../../runtime/replay/describe.ts'
import { nearestIndex } from '../../../../runtime/story/story.ts'
import { shellWord } from '../../../../events/replay/shellWord.ts'
import { counts, type Difference, differenceReport, type Verdict } from '../../../../runtime/replay/verdict.ts'
import { CopyButton } from '../../../kit/controls/CopyButton.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { warn } from '../../../kit/icons/icons.ts'
import { around } from '../../around.ts'
import { ModelTree } from '../model/ModelTree.tsx'
import type { Opened } from '../../reading.ts'

export type Builds = { recorded: string; running: string }

/** The first line that differs: recorded beside re-executed, its cause, and the state before it. */
export function FirstDifferencePane(props: {
  verdict: Extract<Verdict, { ok: false }>
  builds: Builds
  opened: Opened
  copy(text: string): Promise<boolean>
}) {
  const { verdict, builds, opened, copy } = props
  const { difference } = verdict
  const { n, type, field, line, effects = [] } = difference
  const isOfEffects = [difference.expected, difference.actual].some(text => text?.startsWith('{"k":"e"'))
  const to = inputOf(difference)
  const run = `npm run replay -- check ${shellWord(opened.file)}`
  const before = useMemo(() => {
    const { story, walk } = opened
    const cause = story.findIndex(({ index }) => index === difference.index)
    const model = walk.at(
      cause < 0 ? nearestIndex(story, story.length, -1, entry => entry.index < difference.index) : cause,
    )
    return { model, told: around(model, difference.expected ?? difference.actual ?? '') }
  }, [opened, difference])
  return (
    <main className="difference">
      <div className="difference-head">
        <Icon path={warn} />
        <div>
          <h2>First difference at input {n.toLocaleString('en')}</h2>
          <p>
            {counts(verdict.inputs, 'input')} before it agree, byte for byte. Everything after this is not compared.
          </p>
        </div>
        <CopyButton label="Copy report" onCopy={() => copy(differenceReport(difference, builds, run))} />
      </div>
      <div className="difference-sides">
        <Side title="Recorded" text={difference.expected} other={difference.actual} mark="difference-old" />
        <Side title="Now" text={difference.actual} other={difference.expected} mark="difference-new" />
      </div>
      {isOfEffects && <EffectsNow effects={effects} copy={copy} />}
      <dl className="facts">
        <Told name="First differing field">
          {field === 'h' ? 'h, a fingerprint of the effects with their data' : (field ?? 'the whole line')}
        </Told>
        <Told name="Caused by">
          {printable(type)}, n {n}
          {to === undefined ? '' : `, answers ${printable(to)}`}
        </Told>
        <Told name="Input">{printable(difference.input)}</Told>
        <Told name="Core state before">{before.told.length === 0 ? 'nothing of it' : before.told.join('; ')}</Told>
        <Told name="Line in the file">{line.toLocaleString('en')}</Told>
        <Told name="Builds">
          recorded {builds.recorded || 'unknown'}, running {builds.running || 'unknown'}
        </Told>
        <div>
          <dt>Run it again</dt>
          <dd className="replayer-mono">{run}</dd>
          <dd className="facts-acts">
            <CopyButton iconOnly label="Copy" onCopy={() => copy(run)} />
          </dd>
        </div>
      </dl>
      <details className="difference-whole">
        <summary>The whole model before this input</summary>
        <ModelTree before={before.model} after={before.model} />
      </details>
    </main>
  )
}

/** Today's effects with their data, beside fingerprints. */
function EffectsNow({
  effects,
  copy,
}: {
  effects: NonNullable<Difference['effects']>
  copy(text: string): Promise<boolean>
}) {
  const text = JSON.stringify(effects, null, 2)
  return (
    <section className="difference-effects" aria-label="Effects of this build">
      <div className="difference-effects-head">
        <h3>Effects of this build, in full</h3>
        <CopyButton size="small" label="Copy effects" onCopy={() => copy(text)} />
      </div>
      <p>A recording keeps only the types of its effects and a fingerprint, so the recorded data cannot be shown.</p>
      <pre className="replayer-mono difference-code">{effects.length === 0 ? 'none' : printableLines(text)}</pre>
    </section>
  )
}

function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

function Told({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="replayer-mono">{children}</dd>
      <dd />
    </div>
  )
}

function Side(props: {
  title: string
  text: string | undefined
  other: string | undefined
  mark: 'difference-old' | 'difference-new'
}) {
  const { title, text, other, mark } = props
  const theirs = new Set(linesOf(other))
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <pre className="replayer-mono difference-code">
        {text === undefined ? (
          <mark className={mark}>no line here</mark>
        ) : (
          linesOf(text).map((line, at) =>
            theirs.has(line) ? (
              `${line}\n`
            ) : (
              // the lines of one text never reorder
              <mark key={at} className={mark}>
                {line}
              </mark>
            ),
          )
        )}
      </pre>
    </section>
  )
}

function linesOf(text: string | undefined): string[] {
  return text === undefined ? [] : JSON.stringify(JSON.parse(text), null, 2).split('\n').map(printable)
}

function inputOf({ input }: Difference): string | undefined {
  const { to } = JSON.parse(input) as { to?: unknown }
  return typeof to === 'string' ? to : undefined
}

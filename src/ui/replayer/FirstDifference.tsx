import { printable } from '../../events/describe.ts'
import { counts, type Difference, differenceReport, type Verdict } from '../../events/verdict.ts'
import { CopyButton } from '../kit/CopyButton.tsx'
import { Icon } from '../kit/Icon.tsx'
import { warn } from '../kit/icons.ts'

export type Builds = { recorded: string; running: string }

/** One screen for the first line that came out otherwise: recorded beside now, and what caused it. */
export function FirstDifference(props: {
  verdict: Extract<Verdict, { ok: false }>
  builds: Builds
  file: string
  copy(text: string): Promise<boolean>
}) {
  const { verdict, builds, file, copy } = props
  const { difference } = verdict
  const { n, type, field, line } = difference
  const to = inputOf(difference)
  return (
    <main className="div">
      <div className="div-head">
        <Icon path={warn} />
        <div>
          <h1>First difference at input {n}</h1>
          <p>
            {counts(verdict.inputs, 'input')} before it agree, byte for byte. Everything after this is not compared.
          </p>
        </div>
        <CopyButton label="Copy report" onCopy={() => copy(differenceReport(difference, builds))} />
      </div>
      <div className="cmp">
        <Side title="Recorded" text={difference.expected} other={difference.actual} mark="old" />
        <Side title="Now" text={difference.actual} other={difference.expected} mark="new" />
      </div>
      <dl className="facts">
        <Told name="First differing field">{field ?? 'the whole line'}</Told>
        <Told name="Caused by">
          {printable(type)}, n {n}
          {to === undefined ? '' : `, answers ${printable(to)}`}
        </Told>
        <Told name="Line in the file">{line}</Told>
        <Told name="Builds">
          recorded {builds.recorded || 'unknown'}, running {builds.running || 'unknown'}
        </Told>
        <Told name="Run it again">npm run replay -- {printable(file)}</Told>
      </dl>
    </main>
  )
}

function Told({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">{children}</dd>
      <dd />
    </div>
  )
}

function Side(props: { title: string; text: string | undefined; other: string | undefined; mark: 'old' | 'new' }) {
  const { title, text, other, mark } = props
  const theirs = new Set(linesOf(other))
  return (
    <section>
      <h2>{title}</h2>
      <pre className="mono code">
        {text === undefined ? (
          <mark className={mark}>no line here{'\n'}</mark>
        ) : (
          linesOf(text).map((line, at) =>
            theirs.has(line) ? (
              `${line}\n`
            ) : (
              // the lines of one text never move
              <mark key={at} className={mark}>
                {line}
                {'\n'}
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

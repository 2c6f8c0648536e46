import { useState } from 'react'
import type { ProjectView } from '../../events/subjects/service/project.ts'
import type { Failure } from '../../runtime/failure.ts'
import { own } from '../../runtime/schema/own.ts'
import { classes } from '../kit/classes.ts'
import { IconButton } from '../kit/controls/IconButton.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { close, warn } from '../kit/icons/icons.ts'
import { lateStyles } from '../lateStyles.ts'
import { useModel } from '../react.tsx'
import styles from '../styles/modal-alert.css?inline'
import { alertsArea } from '../texts/alerts/en.ts'
import { useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'

type Code = NonNullable<ProjectView['problem']>['code']

const adopt = lateStyles(styles)
/** Refusals that pass by themselves. */
const passing: ReadonlySet<Code> = new Set(['APKT009', 'APKT010'])

const codes: Readonly<Record<string, Code>> = { origin: 'APKT002', token: 'APKT006', project: 'APKT007' }
/** @returns the official kit's code of the relay's objection, where it has one */
function codeOf({ facts }: Failure): Code | undefined {
  return own<Code>(codes, String(facts?.objection))
}

/** Tells the host's developers why its project is refused, by the service or by the relay, until it is dismissed. */
export function AlertBar() {
  const t = useTexts(alertsArea)
  const { problems } = useTexts(modalArea)
  const problem = useModel(({ project }) => project.problem)
  const refused = useModel(({ relay }) => (relay.phase === 'refused' ? codeOf(relay.failure) : undefined))
  const [dismissed, setDismissed] = useState<Code>()
  const code = problem?.code ?? refused
  if (code === undefined || code === dismissed) return null
  return (
    <div className={classes('alert-bar', passing.has(code) && 'is-warn')} role="alert" ref={adopt} data-testid="alert">
      <Icon path={warn} />
      <div className="layout-grow">
        <b>{problems[code]}</b>
        <br />
        <bdi>
          <code>{code}</code>
        </bdi>{' '}
        {problem?.detail && (
          <>
            <bdi>{problem.detail}</bdi>.{' '}
          </>
        )}
        {t.remedies[code](location.origin)} {t.debug}
      </div>
      <IconButton path={close} small label={t.dismiss} data-testid="alert-dismiss" onClick={() => setDismissed(code)} />
    </div>
  )
}

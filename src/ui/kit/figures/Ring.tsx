import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Icon } from '../icons/Icon.tsx'
import { clockIcon, warn } from '../icons/icons.ts'
import { checkIcon, cross } from '../icons/iconsOfStart.ts'

/** Outcomes. Declining is a choice, not an error: its badge has no tone. */
const badges = {
  declined: { path: cross, tone: '' },
  expired: { path: clockIcon, tone: 'is-warn' },
  failed: { path: warn, tone: 'is-bad' },
  done: { path: checkIcon, tone: 'is-good' },
}

/** A logo in a ring: animated while pending, with a badge after the outcome. */
export function Ring({ came, children }: { came?: keyof typeof badges | undefined; children: ReactNode }) {
  const badge = came && badges[came]
  const box = { x: 1, y: 1, width: 102, height: 102, rx: 31, pathLength: 100 }
  return (
    <div className="ring">
      <svg className="ring-path" viewBox="0 0 104 104" aria-hidden="true">
        <rect className="ring-track" {...box} />
        {!badge && <rect className="ring-run" {...box} />}
      </svg>
      {children}
      {badge && (
        <span className={classes('ring-badge', badge.tone)}>
          <Icon path={badge.path} small />
        </span>
      )}
    </div>
  )
}

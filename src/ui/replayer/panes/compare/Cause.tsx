import { useEffect, useRef, useState } from 'react'
import type { Link } from '../../../../runtime/story/cause.ts'
import { printable } from '../../../../runtime/replay/describe.ts'
import { classes } from '../../../kit/classes.ts'

/** Links shown at the start and at the end of a long chain. */
const [headLinks, tailLinks] = [12, 40]

/**
 * The causal chain from the command to the selected entry and its effects; a press on a link moves the playhead there.
 *
 * @param index of the selected record
 */
export function CausePane({
  links,
  index,
  onMove,
}: {
  links: readonly Link[]
  index: number
  onMove(index: number): void
}) {
  const [whole, setWhole] = useState<readonly Link[]>()
  const list = useRef<HTMLOListElement>(null)
  // The selected link is at the end of its chain
  useEffect(() => {
    list.current?.querySelector('.is-on')?.scrollIntoView?.({ block: 'nearest' })
  }, [links])
  if (links.length === 0) return <p className="text-muted">No cause is in this recording.</p>
  const left = whole === links ? 0 : links.length - headLinks - tailLinks
  const item = (link: Link, at: number) => {
    const on = link.kind !== 'effect' && link.index === index
    const { kind, type, mark, told } = wordsOf(link, earlierInput(links, at))
    return (
      // two effects of one input share one place
      <li key={`${link.index} ${mark}`} className={classes(on && 'is-on')}>
        <span className={classes('chain-kind', `is-${kind}`)}>{kind}</span>
        <button
          type="button"
          className="chain-type replayer-mono"
          aria-current={on ? 'step' : undefined}
          onClick={() => onMove(link.index)}
        >
          {printable(type)}
        </button>
        <span className="chain-meta">{mark}</span>
        {told && <span className="chain-sub">{told}</span>}
      </li>
    )
  }
  return (
    <ol className="chain" ref={list}>
      {left > 0 ? (
        <>
          {links.slice(0, headLinks).map(item)}
          <li className="chain-gap">
            <button type="button" className="link" onClick={() => setWhole(links)}>
              {left.toLocaleString('en')} links between
            </button>
          </li>
          {links.slice(-tailLinks).map((link, offset) => item(link, links.length - tailLinks + offset))}
        </>
      ) : (
        links.map(item)
      )}
    </ol>
  )
}

type Words = { kind: 'input' | 'fact' | 'effect' | 'page'; type: string; mark: string; told?: string | undefined }

function wordsOf(link: Link, earlier: number | undefined): Words {
  switch (link.kind) {
    case 'input': {
      const { n, at, type, tab, ref, data } = link.record
      const words: Words = { kind: 'input', type, mark: `n ${n.toLocaleString('en')}` }
      const whose = tab === undefined ? '' : ` from tab ${printable(tab)}`
      if (link.from === 'command') words.told = `command${whose}${ref === undefined ? '' : `, ${printable(ref)}`}`
      else if (type === 'core.boot') words.told = `life ${String(data.life)} began`
      else words.told = laterThan(at, earlier) ?? `came from outside${whose && `,${whose}`}`
      return words
    }
    case 'fact':
      return { kind: 'fact', type: link.record.type, mark: `#${link.record.seq.toLocaleString('en')}` }
    case 'effect':
      return { kind: 'effect', type: link.type, mark: link.id }
    case 'page': {
      const { type, p, tab } = link.record
      const told = `the page of tab ${printable(tab)} wrote this itself`
      return { kind: 'page', type, mark: `p ${p.toLocaleString('en')}`, told }
    }
  }
}

/** Arrival of the input before this link, ms since the Unix epoch. */
function earlierInput(links: readonly Link[], at: number): number | undefined {
  for (let before = at - 1; before >= 0; before--) {
    const link = links[before]
    if (link?.kind === 'input') return link.record.at
  }
  return undefined
}

function laterThan(at: number, earlier: number | undefined): string | undefined {
  if (earlier === undefined) return undefined
  const ms = Math.max(0, at - earlier)
  if (ms < 1000) return `${ms} ms later`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s later`
  return `${Math.round(ms / 60_000).toLocaleString('en')} min later`
}

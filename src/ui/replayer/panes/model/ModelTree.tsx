import { useState } from 'react'
import { classes } from '../../../kit/classes.ts'
import type { WatchedPath } from './Watched.tsx'
import { type Branch, branchesOf, shortValue } from '../../changes.ts'
import { sameList } from '../../../../runtime/sameList.ts'

/** Maximum number of members shown under one name. */
const mostMembers = 200
const marks = { same: '', changed: 'is-changed', added: 'is-added', removed: 'is-removed' }
const signs = { same: '', changed: '~', added: '+', removed: '−' }
const spoken = { same: '', changed: 'changed', added: 'added', removed: 'removed' }

/**
 * The model at the playhead, collapsed; changes are expanded and marked.
 *
 * @param watched paths that are watched; with `onWatch` each row can be watched
 */
export function ModelTree(props: {
  before: unknown
  after: unknown
  watched?: readonly WatchedPath[]
  onWatch?(path: WatchedPath): void
}) {
  const { before, after, watched = [], onWatch } = props
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map())
  const turn = (path: string, open: boolean) => setTurned(known => new Map(known).set(path, open))
  const watching = onWatch && { watched, onWatch }
  return (
    <ol className="model-tree replayer-mono">
      <Members
        path=""
        names={[]}
        before={before}
        after={after}
        depth={0}
        turned={turned}
        turn={turn}
        watching={watching}
      />
    </ol>
  )
}

type Turning = {
  turned: ReadonlyMap<string, boolean>
  turn(path: string, open: boolean): void
  watching: { watched: readonly WatchedPath[]; onWatch(path: WatchedPath): void } | undefined
}

function Members(
  props: { path: string; names: WatchedPath; before: unknown; after: unknown; depth: number } & Turning,
) {
  const { path, names, before, after, depth, turned, turn, watching } = props
  const branches = branchesOf(path, before, after)
  return (
    <>
      {branches.slice(0, mostMembers).map(branch => (
        <Line
          key={branch.path}
          branch={branch}
          names={[...names, branch.name]}
          depth={depth}
          turned={turned}
          turn={turn}
          watching={watching}
        />
      ))}
      {branches.length > mostMembers && (
        <li className={`is-depth-${Math.min(depth, 5)}`}>
          <span className="model-tree-mark" />
          <span className="model-tree-key">{branches.length - mostMembers} more</span>
        </li>
      )}
    </>
  )
}

function Line(props: { branch: Branch; names: WatchedPath; depth: number } & Turning) {
  const { branch, names, depth, turned, turn, watching } = props
  const { path, name, mark, before, after, inside } = branch
  const foldable = inside !== undefined && inside > 0
  const open = foldable && (turned.get(path) ?? mark === 'changed')
  // An expanded branch leaves the mark to its members
  const shown = open && mark === 'changed' ? 'same' : mark
  return (
    <>
      <li className={classes(`is-depth-${Math.min(depth, 5)}`, marks[shown])}>
        <span className="model-tree-mark" aria-hidden="true">
          {signs[shown]}
        </span>
        {foldable ? (
          <button type="button" className="model-tree-key" aria-expanded={open} onClick={() => turn(path, !open)}>
            {name}
          </button>
        ) : (
          <span className="model-tree-key">{name}</span>
        )}
        <span className="model-tree-value">
          {shown !== 'same' && <span className="text-hidden">{spoken[shown]} </span>}
          {!open && <Value mark={shown} before={before} after={after} foldable={foldable} />}
        </span>
        {watching && (
          <button
            type="button"
            className="model-tree-watch"
            aria-label={`Watch ${names.join('.')}`}
            aria-pressed={watching.watched.some(one => sameList(one, names))}
            onClick={() => watching.onWatch(names)}
          >
            ◉
          </button>
        )}
      </li>
      {open && (
        <Members
          path={path}
          names={names}
          before={before}
          after={after}
          depth={depth + 1}
          turned={turned}
          turn={turn}
          watching={watching}
        />
      )}
    </>
  )
}

function Value({ mark, before, after, foldable }: Pick<Branch, 'mark' | 'before' | 'after'> & { foldable: boolean }) {
  if (mark === 'removed') return <s>{shortValue(before)}</s>
  if (mark === 'added') return <b>{shortValue(after)}</b>
  if (mark === 'same' || foldable) return shortValue(after)
  return (
    <>
      <s>{shortValue(before)}</s> <b>{shortValue(after)}</b>
    </>
  )
}

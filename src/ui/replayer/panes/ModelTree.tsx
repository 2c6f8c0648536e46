import { useState } from 'react'
import { classes } from '../../kit/classes.ts'
import { type Branch, branchesOf, shortValue } from '../changes.ts'

/** Maximum number of members shown under one name. */
const mostMembers = 200
const marks = { same: '', changed: 'is-changed', added: 'is-added', removed: 'is-removed' }
const signs = { same: '', changed: '~', added: '+', removed: '−' }
const spoken = { same: '', changed: 'changed', added: 'added', removed: 'removed' }

/** The model at the playhead, collapsed; changes are expanded and marked. */
export function ModelTree({ before, after }: { before: unknown; after: unknown }) {
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map())
  const turn = (path: string, open: boolean) => setTurned(known => new Map(known).set(path, open))
  return (
    <ol className="model-tree replayer-mono">
      <Members path="" before={before} after={after} depth={0} turned={turned} turn={turn} />
    </ol>
  )
}

type Turning = { turned: ReadonlyMap<string, boolean>; turn(path: string, open: boolean): void }

function Members(props: { path: string; before: unknown; after: unknown; depth: number } & Turning) {
  const { path, before, after, depth, turned, turn } = props
  const branches = branchesOf(path, before, after)
  return (
    <>
      {branches.slice(0, mostMembers).map(branch => (
        <Line key={branch.path} branch={branch} depth={depth} turned={turned} turn={turn} />
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

function Line({ branch, depth, turned, turn }: { branch: Branch; depth: number } & Turning) {
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
      </li>
      {open && <Members path={path} before={before} after={after} depth={depth + 1} turned={turned} turn={turn} />}
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

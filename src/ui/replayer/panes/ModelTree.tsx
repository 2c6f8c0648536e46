import { useState } from 'react'
import { classes } from '../../kit/classes.ts'
import { type Branch, branchesOf, shortValue } from '../changes.ts'

/** Maximum number of members shown under one name. */
const mostMembers = 200
const marks = { same: '', changed: 'chg', added: 'add', removed: 'del' }
const signs = { same: '', changed: '~', added: '+', removed: '−' }
const spoken = { same: '', changed: 'changed', added: 'added', removed: 'removed' }

/** The model at the playhead, collapsed; changes are expanded and marked. */
export function ModelTree({ before, after }: { before: unknown; after: unknown }) {
  const [turned, setTurned] = useState<ReadonlyMap<string, boolean>>(new Map())
  const turn = (path: string, open: boolean) => setTurned(known => new Map(known).set(path, open))
  return (
    <ol className="tree mono">
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
        <li className={`d${Math.min(depth, 5)}`}>
          <span className="g" />
          <span className="k">{branches.length - mostMembers} more</span>
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
      <li className={classes(`d${Math.min(depth, 5)}`, marks[shown])}>
        <span className="g" aria-hidden="true">
          {signs[shown]}
        </span>
        {foldable ? (
          <button type="button" className="k" aria-expanded={open} onClick={() => turn(path, !open)}>
            {name}
          </button>
        ) : (
          <span className="k">{name}</span>
        )}
        <span className="v">
          {shown !== 'same' && <span className="vh">{spoken[shown]} </span>}
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

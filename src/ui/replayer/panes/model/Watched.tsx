import { classes } from '../../../kit/classes.ts'
import { shortValue } from '../../changes.ts'

/** Names of a path's parts, from the model down. */
export type WatchedPath = readonly string[]

/** Watched parts of the model: the value at the playhead, and the one before where it changed. */
export function Watched(props: {
  paths: readonly WatchedPath[]
  before: unknown
  after: unknown
  onUnwatch(path: WatchedPath): void
}) {
  const { paths, before, after, onUnwatch } = props
  if (paths.length === 0) return null
  return (
    <section className="watched" aria-label="Watched">
      <h3 className="watched-title">Watched</h3>
      <ul className="replayer-mono">
        {paths.map(path => {
          const [was, is] = [textAt(before, path), textAt(after, path)]
          const name = path.join('.')
          return (
            <li key={name} className={classes('watched-row', was !== is && 'is-changed')}>
              <span className="watched-path">{name}</span>
              <span className="watched-value">
                {was !== is && (
                  <>
                    <s>{was}</s>{' '}
                  </>
                )}
                {is}
              </span>
              <button
                type="button"
                className="link"
                aria-label={`Stop watching ${name}`}
                onClick={() => onUnwatch(path)}
              >
                ×
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function textAt(model: unknown, path: WatchedPath): string {
  let part = model
  for (const name of path) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return 'nothing'
    part = (part as Record<string, unknown>)[name]
  }
  const text = JSON.stringify(part) ?? 'nothing'
  return text.length <= 300 ? text : shortValue(part)
}

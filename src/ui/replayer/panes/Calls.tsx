import { printable } from '../../../runtime/replay/describe.ts'
import type { RecordedCall } from '../../../events/replay/calls.ts'
import { classes } from '../../kit/classes.ts'

/** Calls listed around the playhead. */
const mostCalls = 200
const words = { answered: '', failed: 'failed', pending: 'no answer' }

/**
 * Calls to the relay and over RPC with status and duration; a press moves the playhead to the input that ordered one.
 *
 * @param index of the record at the playhead
 */
export function CallsPane(props: { calls: readonly RecordedCall[]; index: number; onMove(index: number): void }) {
  const { calls, index, onMove } = props
  if (calls.length === 0) return <p className="text-muted chain-none">This recording has no calls.</p>
  const passed = calls.filter(call => call.index <= index).length
  const from = Math.max(0, Math.min(passed - mostCalls / 2, calls.length - mostCalls))
  const shown = calls.slice(from, from + mostCalls)
  const left = calls.length - shown.length
  return (
    <>
      {left > 0 && <p className="text-muted chain-none">{left.toLocaleString('en')} more are further away.</p>}
      <ol className="chain" aria-label="Calls">
        {shown.map(call => {
          const { lane, id, type, status, asked, told } = call
          const on = call.index <= index && (call.answer === undefined || call.answer >= index)
          return (
            <li key={id} className={classes(on && 'is-on', status === 'failed' && 'chain-failed')}>
              <span className="chain-kind">{lane === 'relay' ? 'relay' : 'RPC'}</span>
              <button type="button" className="chain-type replayer-mono" onClick={() => onMove(call.index)}>
                {printable(type)}
              </button>
              <span className="chain-meta">{durationOf(call)}</span>
              <span className="chain-sub">
                {[told?.includes(asked ?? '') ? '' : printable(asked ?? ''), words[status], printable(told ?? '')]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </li>
          )
        })}
      </ol>
    </>
  )
}

function durationOf({ ms }: RecordedCall): string {
  if (ms === undefined) return '…'
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

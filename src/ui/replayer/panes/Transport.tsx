import { Icon } from '../../kit/icons/Icon.tsx'
import { IconButton } from '../../kit/controls/IconButton.tsx'
import { first, last, next, pausePlayback, play, prev } from '../../kit/icons/iconsOfReplayer.ts'
import { type Pace, paces, type Playing } from '../hooks/usePlaying.ts'

/** Playback buttons. */
export function Transport({
  playing,
  onStart,
  onBack,
  onOn,
  onEnd,
}: {
  playing: Playing
  onStart(): void
  onBack(): void
  onOn(): void
  onEnd(): void
}) {
  return (
    <div className="transport">
      <IconButton path={first} label="To the start" onClick={onStart} />
      <IconButton path={prev} label="Previous input" onClick={onBack} />
      <button
        type="button"
        className="button is-primary transport-play"
        aria-label={playing.playing ? 'Pause' : 'Play'}
        onClick={playing.toggle}
      >
        <Icon path={playing.playing ? pausePlayback : play} />
      </button>
      <IconButton path={next} label="Next input" onClick={onOn} />
      <IconButton path={last} label="To the end" onClick={onEnd} />
    </div>
  )
}

/** Playback speed. */
export function PaceChoice({ playing }: { playing: Playing }) {
  return (
    <select
      className="replayer-choice"
      aria-label="Pace"
      value={playing.pace}
      onChange={event => playing.setPace(Number(event.target.value) as Pace)}
    >
      {paces.map(pace => (
        <option key={pace} value={pace}>
          {pace}×
        </option>
      ))}
    </select>
  )
}

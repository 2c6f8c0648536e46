import { Skeleton } from './Skeleton.tsx'

/** A row that is loading. */
export function SkeletonRow({ width = 96 }: { width?: 64 | 96 | 140 }) {
  return (
    <div className="row is-flat" aria-hidden="true">
      <span className="skeleton skeleton-logo" />
      <span className="row-name">
        <Skeleton width={width} />
      </span>
    </div>
  )
}

import { Skeleton } from './Skeleton.tsx'

/** A row that is loading. */
export function SkeletonRow({ width = 96 }: { width?: 64 | 96 | 140 }) {
  return (
    <div className="row flat" aria-hidden="true">
      <span className="skeleton h-36" />
      <span className="grow">
        <Skeleton width={width} />
      </span>
    </div>
  )
}

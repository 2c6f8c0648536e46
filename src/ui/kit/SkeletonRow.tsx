import { Bone } from './Skeleton.tsx'

/** A row that is being read. */
export function BoneRow({ width = 96 }: { width?: 64 | 96 | 140 }) {
  return (
    <div className="row flat" aria-hidden="true">
      <span className="bone h-36" />
      <span className="grow">
        <Bone width={width} />
      </span>
    </div>
  )
}

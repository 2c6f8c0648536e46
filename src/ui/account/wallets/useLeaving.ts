import { useState } from 'react'
import { useModel, useSurroundings } from '../../react.tsx'

/** @returns whether these connections are being ended, and what ends them. An error notice frees them: the command may be lost */
export function useLeaving(...connectionIds: string[]): { isLeaving: boolean; leave: () => void } {
  const { command } = useSurroundings()
  const [leaving, setLeaving] = useState<readonly string[]>([])
  const failed = useModel(({ toast }) => (toast?.variant === 'error' ? toast.toastId : undefined))
  const [told, setTold] = useState(failed)
  if (failed !== told) {
    setTold(failed)
    if (failed !== undefined) setLeaving([])
  }
  const leave = () => {
    setLeaving(connectionIds)
    for (const connectionId of connectionIds) command({ type: 'connection.disconnect', data: { connectionId } })
  }
  // Some of them may have ended already
  return { isLeaving: connectionIds.every(one => leaving.includes(one)), leave }
}

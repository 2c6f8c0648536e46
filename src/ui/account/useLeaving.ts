import { useState } from 'react'
import { useModel, useSurroundings } from '../react.tsx'

/** @returns whether the connection is being ended, and what ends it. An error notice frees the row: the command may be lost */
export function useLeaving(connectionId: string): { isLeaving: boolean; leave: () => void } {
  const { command } = useSurroundings()
  const [leaving, setLeaving] = useState<string>()
  const failed = useModel(({ toast }) => (toast?.variant === 'error' ? toast.toastId : undefined))
  const [told, setTold] = useState(failed)
  if (failed !== told) {
    setTold(failed)
    if (failed !== undefined) setLeaving(undefined)
  }
  const leave = () => {
    setLeaving(connectionId)
    command({ type: 'connection.disconnect', data: { connectionId } })
  }
  return { isLeaving: leaving === connectionId, leave }
}

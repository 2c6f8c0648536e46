import { useMemo } from 'react'
import { useModel, useSurroundings } from '../../react.tsx'
import { networksToChoose, type ShownNetwork } from './networkChoice.ts'

/** @returns the networks to choose from; undefined until the core has told which */
export function useNetworks(): ShownNetwork[] | undefined {
  const { config } = useSurroundings()
  const isReading = useModel(({ core, network }) => core.life === 0 && !network.offer)
  const network = useModel(model => model.network)
  const connection = useModel(model => model.connection)
  const session = useModel(model => model.session)
  const shown = useMemo(
    () => networksToChoose({ network, connection, session }, config),
    [network, connection, session, config],
  )
  return isReading ? undefined : shown
}

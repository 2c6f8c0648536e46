import { useSurroundings } from '../../react.tsx'

/** @returns the action of a press on a network: its screen, and the core is asked to go there */
export function useSwitch(): (caip2: string) => void {
  const { dispatch, command } = useSurroundings()
  return caip2 => {
    dispatch({ type: 'screen.shown', data: { screen: { name: 'SwitchNetwork', caip2 } } })
    command({ type: 'network.switch', data: { caip2 } })
  }
}

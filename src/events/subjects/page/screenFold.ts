import type { Screen, ScreenFact, ScreenView } from './screen.ts'

export function foldScreen(model: { screen: ScreenView }, fact: ScreenFact): void {
  const view = model.screen
  switch (fact.type) {
    case 'screen.opened':
      model.screen = { ...closedScreen(view), open: true, history: [fact.data.screen] }
      return
    case 'screen.replaced':
    case 'screen.shown': {
      const isOnTop = () => {
        const top = view.history.at(-1)
        return top !== undefined && screenKey(top) === screenKey(fact.data.screen)
      }
      // The same screen twice would be a way back that leads nowhere
      if (!view.open || isOnTop()) return
      if (fact.type === 'screen.shown') view.direction = 'next'
      else view.history.pop()
      if (!isOnTop()) view.history.push(fact.data.screen)
      return
    }
    case 'screen.back':
      if (view.history.length > 1) {
        view.history.pop()
        view.direction = 'previous'
      } else if (view.open) model.screen = closedScreen(view)
      return
    case 'screen.closed':
      if (view.open) model.screen = closedScreen(view)
      return
    case 'screen.refused':
      if (view.open) view.shakes += 1
      return
    case 'screen.agreed':
      view.agreed = fact.data.agreed
      return
    case 'screen.sendDrafted':
      view.send = fact.data
      return
    case 'screen.tabChosen':
      if (view.open) view.tab = fact.data.tab
  }
}

/** @returns the state without a modal; the visitor's word on the documents and a transfer that is being written stay */
export function closedScreen({ agreed, send }: Pick<ScreenView, 'agreed' | 'send'> = {}): ScreenView {
  return { open: false, history: [], direction: 'next', shakes: 0, ...(agreed && { agreed }), ...(send && { send }) }
}

/** @returns the screen on show, or undefined while the modal is closed */
export function shownScreen(model: { screen: ScreenView }): Screen | undefined {
  return model.screen.open ? model.screen.history[model.screen.history.length - 1] : undefined
}

/** @returns text that tells two screens apart: with another wallet it is another screen */
export function screenKey(screen: Screen): string {
  switch (screen.name) {
    case 'ConnectingInstalled':
      return `${screen.name} ${screen.walletKey} ${screen.wallet.walletId}`
    case 'WalletConnect':
    case 'Downloads':
      return `${screen.name} ${screen.wallet?.walletId ?? ''}`
    case 'SwitchNetwork':
      return `${screen.name} ${screen.caip2}`
    default:
      return screen.name
  }
}

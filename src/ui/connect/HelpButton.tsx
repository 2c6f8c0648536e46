import { IconButton } from '../kit/controls/IconButton.tsx'
import { help } from '../kit/icons/iconsOfModal.ts'
import { useDispatch } from '../react.tsx'

/** Opens the screen that explains wallets. */
export function HelpButton() {
  const dispatch = useDispatch()
  return (
    <IconButton
      path={help}
      label="What is a wallet?"
      onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WhatIsAWallet' } } })}
    />
  )
}

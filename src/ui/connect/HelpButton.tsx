import { IconButton } from '../kit/controls/IconButton.tsx'
import { help } from '../kit/icons/iconsOfModal.ts'
import { useDispatch } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'

/** Opens the screen that explains wallets. */
export function HelpButton() {
  const dispatch = useDispatch()
  const { whatIsAWallet } = useTexts(modalArea)
  return (
    <IconButton
      path={help}
      label={whatIsAWallet}
      onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WhatIsAWallet' } } })}
    />
  )
}

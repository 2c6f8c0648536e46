import { type ComponentProps, useEffect, useState } from 'react'
import { basics } from '../../texts/basics/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { Button, type ButtonProps } from './Button.tsx'
import { Icon } from '../icons/Icon.tsx'
import { IconButton } from './IconButton.tsx'
import { copyIcon } from '../icons/icons.ts'
import { checkIcon, cross } from '../icons/iconsOfStart.ts'

interface CopyButtonProps
  extends Omit<ComponentProps<'button'>, 'onClick' | 'children' | 'onCopy'>,
    Pick<ButtonProps, 'kind' | 'size' | 'wide'> {
  /** The action: `Copy address`. */
  label: string
  /** Copies; resolves whether it worked. A rejection counts as no. */
  onCopy: () => Promise<boolean>
  /** Icon only; the label serves screen readers. */
  iconOnly?: boolean
}

/** Copies something and shows for 2 s whether it worked. */
export function CopyButton({ label, onCopy, iconOnly, kind = 'plain', size, wide = false, ...rest }: CopyButtonProps) {
  const t = useTexts(basics)
  const [went, setWent] = useState<'' | 'copied' | 'notCopied'>('')
  useEffect(() => {
    if (!went) return
    const timer = setTimeout(() => setWent(''), 2000)
    return () => clearTimeout(timer)
  }, [went])
  const press = () => {
    onCopy().then(
      copied => setWent(copied ? 'copied' : 'notCopied'),
      () => setWent('notCopied'),
    )
  }
  const said = went && t[went]
  const path = went === '' ? copyIcon : went === 'copied' ? checkIcon : cross
  return (
    <>
      {iconOnly ? (
        <IconButton {...rest} path={path} label={said || label} small onClick={press} />
      ) : (
        <Button {...rest} size={size} kind={kind} wide={wide} icon={<Icon path={path} small />} onClick={press}>
          {said || label}
        </Button>
      )}
      <output className="text-hidden">{said}</output>
    </>
  )
}

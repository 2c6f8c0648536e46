import { type ComponentProps, useEffect, useState } from 'react'
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
  const [went, setWent] = useState<'' | 'Copied' | 'Not copied'>('')
  useEffect(() => {
    if (!went) return
    const timer = setTimeout(() => setWent(''), 2000)
    return () => clearTimeout(timer)
  }, [went])
  const press = () => {
    onCopy().then(
      copied => setWent(copied ? 'Copied' : 'Not copied'),
      () => setWent('Not copied'),
    )
  }
  const path = went === '' ? copyIcon : went === 'Copied' ? checkIcon : cross
  return (
    <>
      {iconOnly ? (
        <IconButton {...rest} path={path} label={went || label} small onClick={press} />
      ) : (
        <Button {...rest} size={size} kind={kind} wide={wide} icon={<Icon path={path} small />} onClick={press}>
          {went || label}
        </Button>
      )}
      <output className="text-hidden">{went}</output>
    </>
  )
}

import { Button } from '../../kit/controls/Button.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { copyIcon } from '../../kit/icons/icons.ts'
import { useSurroundings } from '../../react.tsx'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { useNotice } from '../../notices/useNotice.ts'

/** Copies the code as a link; inactive without one. */
export function CopyLink({ uri }: { uri: string | undefined }) {
  const { copy } = useSurroundings()
  const notice = useNotice()
  const t = useTexts(connectArea)
  const press = () => {
    if (uri === undefined) return
    copy(uri).then(
      copied => (copied ? notice('success', t.linkCopied) : notice('error', t.linkNotCopied)),
      () => notice('error', t.linkNotCopied),
    )
  }
  return (
    <Button
      wide
      disabled={uri === undefined}
      icon={<Icon path={copyIcon} small />}
      data-testid="copy-uri"
      onClick={press}
    >
      {t.copyLink}
    </Button>
  )
}

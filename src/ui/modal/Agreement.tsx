import type { ComponentProps, ReactNode } from 'react'
import { Checkbox } from '../kit/controls/Check.tsx'
import { useDispatch, useModel } from '../react.tsx'
import { agreementArea } from '../texts/agreement/en.ts'
import { useTexts } from '../texts/language.tsx'
import { DocumentLinks } from './documents.tsx'

type AgreementProps = Omit<ComponentProps<typeof DocumentLinks>, 'texts'> & { children: ReactNode }

/** A box to tick before anything below it can be pressed, or a code be scanned. */
export function Agreement({ terms, privacy, children }: AgreementProps) {
  const dispatch = useDispatch()
  const t = useTexts(agreementArea)
  const agreed = useModel(({ screen }) => screen.agreed === true)
  const isCode = useModel(({ screen }) => codes.has(screen.history.at(-1)?.name ?? ''))
  return (
    <>
      <div className={isCode ? undefined : 'agreement'}>
        <Checkbox
          checked={agreed}
          onChange={checked => dispatch({ type: 'screen.agreed', data: { agreed: checked } })}
          data-testid="agreement"
        >
          <DocumentLinks terms={terms} privacy={privacy} texts={t.agree} />
          {!agreed && <span className={isCode ? 'agreement-first' : 'text-hidden'}> {t.first}</span>}
        </Checkbox>
      </div>
      {agreed ? (
        children
      ) : isCode ? null : (
        <div className="agreement-waits" inert>
          {children}
        </div>
      )}
    </>
  )
}

/** Screens with a code, which can be scanned without a press: absent until the tick. */
const codes: ReadonlySet<string> = new Set(['WalletConnect', 'ConnectingWalletConnectBasic'])

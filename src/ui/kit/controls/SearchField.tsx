import { Icon } from '../icons/Icon.tsx'
import { search } from '../icons/iconsOfModal.ts'
import { FormField } from './Field.tsx'

/** A text that a list is searched for. `testId` is of its input; without a placeholder the label stands in it. */
export function SearchField({
  label,
  placeholder = label,
  text,
  onText,
  testId,
}: {
  label: string
  placeholder?: string
  text: string
  onText: (text: string) => void
  testId: string
}) {
  return (
    <FormField
      label={label}
      icon={<Icon path={search} />}
      placeholder={placeholder}
      type="search"
      enterKeyHint="search"
      maxLength={100}
      spellCheck={false}
      data-testid={testId}
      value={text}
      onChange={event => onText(event.target.value)}
    />
  )
}

import { describe, expect, test } from 'vitest'
import { localeOf } from '../../../src/ui/texts/amounts.ts'
import type { AccountTexts } from '../../../src/ui/texts/account/en.ts'
import type { ConnectTexts } from '../../../src/ui/texts/connect/en.ts'
import { type Language, languages } from '../../../src/ui/texts/language.tsx'
import type { SendTexts } from '../../../src/ui/texts/send/en.ts'

/** The texts of an area; English is not the module's default. */
async function textsOf<Texts>(area: string, language: Language): Promise<Texts> {
  const read = (await import(`../../../src/ui/texts/${area}/${language}.ts`)) as Record<string, unknown>
  const english = Object.values(read).find(one => typeof one === 'object' && one !== null && 'english' in one)
  return (language === 'en' ? (english as { english: Texts }).english : read.default) as Texts
}

describe.each(languages)('numbers in the texts of %s', language => {
  test('have its separators', async () => {
    const { searchCount } = await textsOf<ConnectTexts>('connect', language)
    const { walletsHere, accountsHere } = await textsOf<AccountTexts>('account', language)
    const { mostListed } = await textsOf<SendTexts>('send', language)
    const count = 12_345
    const written = new Intl.NumberFormat(localeOf(language)).format(count)
    expect(written).not.toBe(String(count))
    for (const text of [searchCount, walletsHere, accountsHere, mostListed]) expect(text(count)).toContain(written)
  })
})

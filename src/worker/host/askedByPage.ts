import type { CoreModel } from '../../events/app.ts'
import { isEnded } from '../../events/subjects/session/request.ts'
import { idIn } from '../../events/values/reference.ts'
import { own } from '../../runtime/schema/own.ts'
import type { AskedByPage } from '../drivers/walletconnect/pageAnswer.ts'

/** @returns the request of a page that an answer with this id is about, as long as it is remembered */
export function askedByPage({ request, session }: CoreModel, payloadId: string): AskedByPage | undefined {
  const asked = own(request, payloadId)
  if (!asked || idIn('page', asked.purpose) === undefined) return undefined
  const { method, chainId, sessionTopic } = asked
  const params = isEnded(asked) ? undefined : asked.params
  const accounts = Object.values(own(session, sessionTopic)?.namespaces ?? {})
    .flatMap(part => part.accounts)
    .filter(account => account.startsWith(`${chainId}:`))
  return {
    method,
    accounts: accounts.map(account => account.slice(chainId.length + 1)),
    ...(params === undefined ? {} : { params }),
  }
}

/** Networks that the API serves, and the name and picture of an account. */
import { absentable, looseObject, nullable, string } from '../../../runtime/schema/schema.ts'
import { webLink } from '../listing.ts'
import { answerReader, chainId, keptEntries, labelText, rawList } from './fields.ts'

const chains = rawList(500)

/** CAIP-2 ids by transport. */
export const readSupportedChains = answerReader(
  looseObject({ http: chains, ws: absentable(chains) }),
  ({ http, ws = [] }) => {
    const [overHttp, overSocket] = [http, ws].map(list =>
      keptEntries(
        list,
        chainId,
        chain => chain,
        chain => chain,
      ),
    )
    return {
      http: overHttp?.entries ?? [],
      ws: overSocket?.entries ?? [],
      dropped: (overHttp?.dropped ?? 0) + (overSocket?.dropped ?? 0),
    }
  },
)

const text = nullable(string({ most: 4096 }))

/** The service writes both, null when there is none. '' stands for no name, and for no picture that may load. */
export const readIdentity = answerReader(looseObject({ name: text, avatar: text }), ({ name, avatar }) => ({
  name: labelText(name),
  avatar: webLink(avatar) ?? '',
}))

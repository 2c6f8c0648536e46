/** Smart sessions: permissions that an account gave to other sites. @see reference "HTTP APIs", §3.16 */
import {
  absentable,
  array,
  boolean,
  looseObject,
  nullable,
  string,
  type ValueOf,
  wholeNumber,
} from '../../../runtime/schema/schema.ts'
import { webLink } from '../listing.ts'
import { answerReader, keptEntries, label, labelText, rawList } from './fields.ts'

/** Unix seconds up to the year 9999 */
const seconds = wholeNumber(0, 253_402_300_799)
const link = absentable(nullable(string({ most: 4096 })))
const kinds = array(looseObject({ type: string({ grammar: /^[-_a-zA-Z0-9]{1,64}$/ }) }), 0, 50)

const sessionShape = looseObject({
  project: looseObject({ id: string({ most: 200 }), name: label, url: link, iconUrl: link }),
  pci: string({ grammar: /^[-_a-zA-Z0-9]{1,128}$/ }),
  expiry: seconds,
  createdAt: seconds,
  permissions: kinds,
  policies: kinds,
  revokedAt: absentable(nullable(seconds)),
})

/** Times are ms since the Unix epoch; of permissions and policies only the types are kept. */
export const readSessions = answerReader(looseObject({ pcis: rawList(255) }), ({ pcis }) => {
  const { entries, dropped } = keptEntries(pcis, sessionShape, keepSession, ({ pci }) => pci)
  return { pcis: entries, dropped }
})

function keepSession(session: ValueOf<typeof sessionShape>) {
  const { project, revokedAt } = session
  return {
    pci: session.pci,
    project: {
      name: labelText(project.name),
      url: webLink(project.url) ?? '',
      iconUrl: webLink(project.iconUrl) ?? '',
    },
    expiresAt: session.expiry * 1000,
    createdAt: session.createdAt * 1000,
    ...(revokedAt === null || revokedAt === undefined ? {} : { revokedAt: revokedAt * 1000 }),
    permissions: session.permissions.map(({ type }) => type),
    policies: session.policies.map(({ type }) => type),
  }
}

/** An object that does not deny success; the service itself answers with an empty body. */
export const readRevocation = answerReader(looseObject({ success: absentable(boolean()) }), ({ success }) => ({
  success: success !== false,
}))

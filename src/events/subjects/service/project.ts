/** The project's configuration: the features of the modal, and why the service refuses the project. */
import {
  choice,
  define,
  type Field,
  type Fields,
  flag,
  list,
  openField,
  optional,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'

export const socials = ['google', 'x', 'farcaster', 'discord', 'apple', 'github', 'facebook'] as const
export const walletFeatures = ['onramp', 'swaps', 'receive', 'send'] as const
const connectMethods = ['wallet', 'email', 'social'] as const
export const connectorTypes = [
  'walletConnect',
  'recent',
  'injected',
  'featured',
  'custom',
  'external',
  'recommended',
] as const

const on = openField(flag)

/** Fields that a host may set. A list that is off is empty. */
const hostFields = {
  receive: on,
  send: on,
  allWallets: on,
  analytics: on,
  legalCheckbox: on,
  smartSessions: on,
  collapseWallets: on,
  pay: on,
  emailShowWallets: on,
  walletFeaturesOrder: list(openField(choice(walletFeatures))),
  /** absent: wallets first where one is installed, else last */
  connectMethodsOrder: optional(list(openField(choice(connectMethods)))),
  connectorTypeOrder: list(openField(choice(connectorTypes))),
  email: on,
  socials: list(openField(choice(socials))),
  swaps: list(openField(choice(['1inch']))),
  onramp: list(openField(choice(['meld']))),
  /** the option's old name is `history` */
  activity: on,
  reownBranding: on,
}

/** The same fields, each of which may be absent. */
/*#__NO_SIDE_EFFECTS__*/
function eachOptional<F extends Fields>(
  fields: F,
): { [K in keyof F]: F[K] extends Field<infer T> ? Field<T, true> : never } {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, optional: true }]),
  ) as never
}

/** A host's options. */
export const hostFeatures = shape(eachOptional(hostFields))
/** First word on a feature that the host sets and the service lists. */
export const featureRule = openField(choice(['host', 'service']))

const features = /* @__PURE__ */ allFeatures()

// Made by a function, so that bundles without use for the definition drop it
/*#__NO_SIDE_EFFECTS__*/
function allFeatures() {
  return shape({
    ...hostFields,
    multiWallet: on,
    emailCapture: openField(choice(['off', 'optional', 'required'])),
  })
}

/** An error by the code and the title of the reference; `detail` is a sentence beside it. */
const problemFields = {
  code: openField(choice(['APKT002', 'APKT006', 'APKT007', 'APKT008', 'APKT009', 'APKT010'])),
  title: openField(text),
  detail: optional(openField(text)),
}
export const projectProblem = shape(problemFields)

export const projectFacts = define({
  'project.asked': v1({}),
  /** `boot`: before the service is asked. `ignored` are names of the host's options that the service overrides. */
  'project.resolved': v1({
    by: openField(choice(['boot', 'service', 'failure'])),
    features,
    ignored: list(openField(text)),
    /** for the console */
    warning: optional(openField(text)),
  }),
  'project.refused': v1(problemFields),
})
export type ProjectFact = UnionOf<typeof projectFacts>

export function projectState() {
  return shape({
    phase: openField(choice(['unread', 'reading', 'read'])),
    features: optional(features),
    problem: optional(projectProblem),
  })
}
export type ProjectView = StateOf<typeof projectState>
export type Features = NonNullable<ProjectView['features']>
export type HostFeatures = typeof hostFeatures extends Field<infer T> ? T : never

export function foldProject(model: { project: ProjectView }, fact: ProjectFact): void {
  const { project } = model
  if (fact.type === 'project.asked') project.phase = 'reading'
  else if (fact.type === 'project.refused') project.problem = fact.data
  else if (fact.type === 'project.resolved') {
    const { by, features } = fact.data
    if (by === 'boot') model.project = { phase: 'unread', features }
    else {
      project.phase = 'read'
      project.features = features
    }
  }
}

/** Planted faults of calls to services and of the features that they decide. */
import { tested } from './mutant.ts'

const unit = 'tests/worker/deciders/services/services.test.ts'
const services = tested('src/worker/deciders/services/services.ts', [unit])
const fold = tested('src/events/subjects/service/service.ts', [unit])
const project = tested('src/worker/deciders/project.ts', ['tests/worker/deciders/project.test.ts'])
const features = tested('src/worker/services/project/features.ts', ['tests/worker/services/project/features.test.ts'])

export const serviceMutants = [
  services(
    'an equal ask under way is made again',
    "if (entry?.isAsked) return ctx.fact('service.reused', { callId: entry.callId, ageMs: 0 })",
    '',
  ),
  services('an answer is stale at its very age', 'age >= 0 && age <= ms', 'age >= 0 && age < ms'),
  services('an answer of the future is fresh', 'age >= 0 && age <= ms', 'age <= ms'),
  services('any failure rests', '(failure ? rests === true : ', '(failure ? true : '),
  services(
    'an update does not wait for a failure to rest',
    "(entry.failure || !('forceUpdate' in ask))",
    "!('forceUpdate' in ask)",
  ),
  services('an empty list of networks is kept', ' && !isVoid)', ')'),
  services('calls under way are one more than are kept', '.length >= entriesKept) {', '.length > entriesKept) {'),
  services(
    'calls wait for ever when the list of networks fails',
    "if (ask.call === 'supportedChains') goOn(ctx, undefined, failure)\n}",
    '}',
  ),
  services('an answer that stands in has no failure beside it', 'answer, failure, ...(toast', 'answer, ...(toast'),
  services('a call that goes on is ordered twice', "&& !isUnderWay(ctx, 'service.call', callId))", ')'),
  services(
    'a call of a dead core stays under way',
    "if (isAsked) ctx.fact('service.failed'",
    "if (!isAsked) ctx.fact('service.failed'",
  ),
  services('the active network counts, not the one of the ask', "('chainId' in ask && ask.chainId) || ", ''),
  fold('one answer more is kept of a call', 'same.length + 1 - entriesKept', 'same.length - entriesKept'),
  fold('a failure stays beside the next answer', 'delete asked.failure', 'asked.failure ??= data.failure as never'),
  fold('the cursor tells no pages apart', "name !== 'forceUpdate'", "name !== 'forceUpdate' && name !== 'cursor'"),
  project('features are read by each opening', " || ctx.model.project.phase !== 'unread') return", ') return'),
  project('a lost reading is not made again', "if (phase === 'reading') ctx.effect('project.read', {})", ''),
  project('origins are checked for social login alone', 'if (email || socials.length > 0)', 'if (socials.length > 0)'),
  features(
    'the service wins over the host',
    "(rule === 'host' && set !== undefined)",
    "(rule === 'service' && set !== undefined)",
  ),
  features('a feature that the service lacks is on', 'if (!found) return off', 'if (!found) return set ?? unset'),
  features('pay leaves email login on', "email: resolve('email') && !own.pay", "email: resolve('email')"),
]

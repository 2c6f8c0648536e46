import account from '../account/es.ts'
import activity from '../activity/es.ts'
import agreement from '../agreement/es.ts'
import alerts from '../alerts/es.ts'
import basics from '../basics/es.ts'
import buttons from '../buttons/es.ts'
import connect from '../connect/es.ts'
import modal from '../modal/es.ts'
import networks from '../networks/es.ts'
import notices from '../notices/es.ts'
import relay from '../relay/es.ts'
import send from '../send/es.ts'
import signIn from '../signin/es.ts'

export default {
  account,
  activity,
  agreement,
  alerts,
  basics,
  buttons,
  connect,
  modal,
  networks,
  notices,
  relay,
  send,
  signIn,
}

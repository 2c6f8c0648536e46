import account from '../account/ar.ts'
import activity from '../activity/ar.ts'
import agreement from '../agreement/ar.ts'
import alerts from '../alerts/ar.ts'
import basics from '../basics/ar.ts'
import buttons from '../buttons/ar.ts'
import connect from '../connect/ar.ts'
import modal from '../modal/ar.ts'
import networks from '../networks/ar.ts'
import notices from '../notices/ar.ts'
import relay from '../relay/ar.ts'
import send from '../send/ar.ts'
import signIn from '../signin/ar.ts'

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

import account from '../account/de.ts'
import activity from '../activity/de.ts'
import agreement from '../agreement/de.ts'
import alerts from '../alerts/de.ts'
import basics from '../basics/de.ts'
import buttons from '../buttons/de.ts'
import connect from '../connect/de.ts'
import modal from '../modal/de.ts'
import networks from '../networks/de.ts'
import notices from '../notices/de.ts'
import relay from '../relay/de.ts'
import send from '../send/de.ts'
import signIn from '../signin/de.ts'

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

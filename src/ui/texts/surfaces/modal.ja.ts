import account from '../account/ja.ts'
import activity from '../activity/ja.ts'
import agreement from '../agreement/ja.ts'
import alerts from '../alerts/ja.ts'
import basics from '../basics/ja.ts'
import buttons from '../buttons/ja.ts'
import connect from '../connect/ja.ts'
import modal from '../modal/ja.ts'
import networks from '../networks/ja.ts'
import notices from '../notices/ja.ts'
import relay from '../relay/ja.ts'
import send from '../send/ja.ts'
import signIn from '../signin/ja.ts'

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

import account from '../account/ja.ts'
import basics from '../basics/ja.ts'
import connect from '../connect/ja.ts'
import modal from '../modal/ja.ts'
import notices from '../notices/ja.ts'
import relay from '../relay/ja.ts'
import signIn from '../signin/ja.ts'

export default { account, basics, connect, modal, notices, relay, signIn }

import account from '../account/ar.ts'
import basics from '../basics/ar.ts'
import connect from '../connect/ar.ts'
import modal from '../modal/ar.ts'
import notices from '../notices/ar.ts'
import relay from '../relay/ar.ts'
import signIn from '../signin/ar.ts'

export default { account, basics, connect, modal, notices, relay, signIn }

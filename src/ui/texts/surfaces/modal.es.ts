import account from '../account/es.ts'
import basics from '../basics/es.ts'
import connect from '../connect/es.ts'
import modal from '../modal/es.ts'
import notices from '../notices/es.ts'
import relay from '../relay/es.ts'
import signIn from '../signin/es.ts'

export default { account, basics, connect, modal, notices, relay, signIn }

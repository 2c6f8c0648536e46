import account from '../account/de.ts'
import basics from '../basics/de.ts'
import connect from '../connect/de.ts'
import modal from '../modal/de.ts'
import notices from '../notices/de.ts'
import relay from '../relay/de.ts'
import signIn from '../signin/de.ts'

export default { account, basics, connect, modal, notices, relay, signIn }

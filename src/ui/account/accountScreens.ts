/** The screens of a connected account, as one part that a page loads late. */
export { Account } from './Account.tsx'
export { Transactions } from './activity/Activity.tsx'
export { ProfileWallets } from './wallets/ProfileWallets.tsx'

/** Raised when messages between tabs change their meaning: a tab with another number is another build. */
export const messagesVersion = 1

/** Seeds beyond the thousand that once broke an invariant. */
import { expect, test } from 'vitest'
import { simulate } from './simulate.ts'

test.each([
  [2414, 'the world’s person looked once, while the core was on another chain’s log'],
  [2344, 'a life in memory acknowledged the end of a session, which the next life never heard'],
  [2650, 'the world forgot steps that went well before the chain changed'],
  [2788, 'the world took a payment for asked that the core refuses as soon as it is built'],
  [2800, 'an input was set aside after a step that failed, and the log missed a number'],
  [5006, 'a device woke before its time, and its leader went on sleeping'],
  [7648, 'a checkpoint turned the fields of a session that went along to another network'],
  [9793, 'a life that had ended wrote after the next one'],
  [13934, 'a wallet named another transaction, which failed, and its order had no end'],
  [14751, 'a wallet named one altered transaction for two orders, and only the first told of it'],
  [7798, 'a wallet that had declined told its signature twice'],
  [2523, 'a follower led for a moment, and the world missed its order when the lead passed on'],
  [12199, 'the world took messages of a wallet’s link for the relay’s'],
  [667, 'the notices of an earlier reading named terms that were not held against them, and an order was built'],
  [887, 'a clock was set back, and news of the treasury waited for the hour of the old reading'],
  [15853, 'a reload restated the rows of the books, and equal ones counted as changed'],
  [15905, 'the core failed on the first look of a life, and an order’s end waited a minute longer'],
  [16316, 'the core failed on the answer that named a pause, and the world expected it to be kept'],
  [17611, 'the core failed on a wallet’s update, and the world expected an answer to it'],
  [17931, 'a message came again that the core had failed on, and the world took it for heard'],
  [18971, 'the world gave the client’s file to one effect while it was missing for another'],
  [614, 'a list that could not be read was not read again in the next life, and an order was refused'],
  [6092, 'a checkpoint turned the parameters of a call that waited for the networks'],
  [10139, 'a limit of calls held back an order’s first look for a minute, and the world waited for too short a time'],
  [13539, 'the core failed on a clock that was set back, and a test of the relay waited for an hour'],
  [13538, 'a ping that the log of one chain had answered came again in that of another'],
  [15975, 'two tabs found a leader silent at once, and one took the lead from the other as soon as that had it'],
  [15622, 'a press came before the chain answered, and the world expected the transfer to reach the wallet'],
  [19076, 'an order took over the alarm of an earlier one with the same key, and was signed again'],
])('seed %i holds, in which %s', async seed => {
  expect((await simulate(seed)).wrong).toBeUndefined()
})

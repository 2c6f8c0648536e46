/** Everything that goes wrong in a simulated world, each with its chance at one occasion in a seed of usual severity. */
export const faults = {
  /** The worker dies at an input; everything was done, only stored, or not even that. */
  'worker.dies': 0.006,
  /** The input it died at is what killed it, and does so whenever it comes: once it ended two lives it is set aside. */
  'input.kills': 0.2,
  /** The step had ended, but its page did not hear of that. */
  'step.unheard': 0.3,
  /** It dies between two inputs, with commits under way. */
  'worker.vanishes': 0.03,
  /** The device loses power: what was not strictly on disk may be gone, and every page is. */
  'device.dies': 0.01,
  'device.offline': 0.04,
  /** The device's clock jumps, back or forth. */
  'clock.jumps': 0.03,
  /** The file of the WalletConnect client cannot be fetched at this try. */
  'client.isGone': 0.1,
  'storage.slow': 0.03,
  'storage.fails': 0.003,
  /** The disk fails for good while an order is being made. */
  'storage.failsMeanwhile': 0.05,
  'storage.denied': 0.02,
  /** The log was cut at a flipped byte, or has to be kept shorter. */
  'storage.cut': 0.02,
  'storage.fills': 0.02,

  'tab.reloads': 0.04,
  'tab.closes': 0.04,
  'tab.freezes': 0.03,
  'tab.hides': 0.05,
  /** It is shown and hidden many times, and nothing gets through to the relay meanwhile. */
  'tab.flickers': 0.01,

  'rpc.rateLimited': 0.03,
  'rpc.broken': 0.03,
  'rpc.unreachable': 0.02,
  'rpc.slow': 0.05,
  'rpc.lagging': 0.06,
  'rpc.otherChain': 0.03,
  /** It gives another transaction than it was asked for. */
  'rpc.givesAnother': 0.08,
  /** It claims a height that the chain has not. */
  'rpc.claimsHeight': 0.06,
  /** It does not know a blockhash that may still be used. */
  'rpc.forgetsBlockhash': 0.1,
  /** It has no answer to the question for a blockhash. */
  'rpc.isSilent': 0.1,
  'answer.doubled': 0.02,
  'terms.invalid': 0.02,
  'terms.changed': 0.01,
  'terms.ofAnotherChain': 0.02,
  /** Whoever serves the terms puts another treasury or authority there, or the team moves its treasury and announces that. */
  'terms.otherTreasury': 0.1,
  'terms.otherAuthority': 0.05,
  'mint.otherDecimals': 0.02,
  'legal.otherDocument': 0.02,
  'allowlist.otherList': 0.1,
  'team.pauses': 0.02,
  'team.closes': 0.005,
  'directory.fails': 0.1,

  /** Bytes that were sent never reach a leader. */
  'chain.loses': 0.15,
  /** A block that was shown is dropped before it is final. */
  'chain.forks': 0.05,
  'chain.failsOnChain': 0.04,
  'chain.refusesSimulation': 0.05,
  /** What was built pays something else than was asked for. */
  'chain.buildsAnother': 0.03,
  'chain.refusesPreflight': 0.12,

  'relay.refusesToOpen': 0.1,
  'relay.unauthorized': 0.03,
  /** It has too many requests. */
  'relay.isBusy': 0.03,
  /** Nobody gets through to it for a while. */
  'relay.isDown': 0.02,
  /** It closes the socket, without a word or with the code of a reason. */
  'relay.drops': 0.05,
  /** The socket looks open, but nothing comes or goes. */
  'relay.halfOpens': 0.04,
  /** It does what it is told on this socket, and never says so. */
  'relay.goesMute': 0.04,
  'relay.losesPush': 0.06,
  'relay.doublesPush': 0.06,
  'relay.delaysPush': 0.1,
  'relay.losesAcknowledgement': 0.05,
  'relay.garbles': 0.03,
  /** A message is none, but for its id. */
  'relay.garblesPush': 0.03,
  'relay.failsCall': 0.05,
  'relay.ignoresCall': 0.05,
  /** A call is carried out, and its answer gets lost. */
  'relay.losesAnswer': 0.04,
  'relay.delaysAnswer': 0.1,
  'relay.knowsNoProposal': 0.1,
  'relay.knowsNoPlainProposal': 0.1,
  'relay.knowsNoBatch': 0.05,
  'relay.knowsNoFetch': 0.1,
  'relay.knowsNoUnsubscribe': 0.05,
  'relay.takesFewTopics': 0.05,
  'relay.fetchesInPages': 0.4,
  /** A link never reaches whom it is for, reaches them twice, or when others have come before it. */
  'link.lost': 0.08,
  'link.twice': 0.1,
  'link.late': 0.15,
  /** The browser wants a press before it opens a link. */
  'link.noPress': 0.15,
  'link.opensNoWallet': 0.06,
  /** What opens the page is no link with a message, or one that nobody sealed. */
  'link.garbled': 0.1,
  'link.forged': 0.1,
  'vault.fails': 0.02,
  'vault.losesKey': 0.02,
  'vault.slow': 0.08,
  'vault.cannotOpen': 0.02,

  /** The verify service says nothing, says it late, or has no word for a message. */
  'verify.isSilent': 0.15,
  'verify.isLate': 0.15,
  'verify.hasNoWord': 0.1,

  'wallet.declines': 0.12,
  'wallet.isSilent': 0.08,
  'wallet.isLate': 0.1,
  /** It answers by itself, before the relay says that it has what was asked. */
  'wallet.isQuick': 0.3,
  'wallet.answersTwice': 0.1,
  'wallet.failsAfter': 0.5,
  'wallet.altersTransaction': 0.06,
  /** It changes what it sends by itself, and that lands. */
  'wallet.sendsAnother': 0.1,
  'wallet.talksNonsense': 0.05,
  /** It answers what nobody asked, or over another session than it was asked in. */
  'wallet.answersAnother': 0.1,
  'wallet.answersElsewhere': 0.5,
  'wallet.changesAccount': 0.05,
  'wallet.disconnects': 0.03,
  'wallet.isMissing': 0.05,
  'wallet.settlesBadly': 0.3,
  /** The settlement reaches the relay before the answer to the proposal does. */
  'wallet.settlesFirst': 0.15,
  /** Two wallets scan the same code, and both approve. */
  'wallet.isNotAlone': 0.1,
  /** It says no to a payment, and is made to sign it after all. */
  'wallet.saysNoFirst': 0.2,
  /** It says no, or that it failed, and signs after all. */
  'wallet.changesMind': 0.8,
  /** It changes a session twice, and the relay has the later change first. */
  'wallet.changesTwice': 0.05,
  'wallet.deletesSession': 0.02,
  /** What it signed is not what it was asked for, or was signed by another. */
  'wallet.signsAnother': 0.25,
  /** Somebody publishes an envelope without a key on a topic. */
  'wallet.sealsNothing': 0.05,
} as const satisfies Record<string, number>

export type Fault = keyof typeof faults

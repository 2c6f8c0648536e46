/** All faults of a simulated world, each with its chance per occasion at normal severity. */
export const faults = {
  /** The worker dies at an input: with everything done, only stored, or not even stored. */
  'worker.dies': 0.006,
  /** The input is deadly: it kills every worker that steps it, and is quarantined after two lives. */
  'input.kills': 0.2,
  /** The step had ended, but its page did not receive that. */
  'step.unheard': 0.3,
  /** A step throws half way, once or every time. */
  'step.breaks': 0.002,
  /** A decider throws, and the core undoes its step and goes on without the input. */
  'decider.throws': 0.004,
  /** The worker dies between two inputs, with commits in flight. */
  'worker.vanishes': 0.03,
  /** The device loses power: every page ends, and relaxed commits may be lost. */
  'device.dies': 0.01,
  'device.offline': 0.04,
  /** The device's clock jumps, forward or back. */
  'clock.jumps': 0.03,
  /** The file of the WalletConnect client cannot be fetched at this try. */
  'client.isGone': 0.1,
  'storage.slow': 0.03,
  'storage.fails': 0.003,
  /** The disk fails permanently during an order. */
  'storage.failsMeanwhile': 0.05,
  'storage.denied': 0.04,
  /** The log was cut at a corrupted byte, or has to be shortened. */
  'storage.cut': 0.02,
  'storage.fills': 0.02,
  /** A byte of the newest checkpoint on disk is lost. */
  'storage.damagesCheckpoint': 0.15,

  'tab.reloads': 0.04,
  'tab.closes': 0.04,
  'tab.freezes': 0.03,
  'tab.hides': 0.05,
  /** The worker dies when a command is on disk, before its page hears that. */
  'command.unheard': 0.01,
  /** The same with a host's request to a wallet. */
  'request.unheard': 0.25,
  /** A page whose command is acknowledged late gives it again under the same ref. */
  'command.repeats': 0.05,
  /** The page takes a batch of facts so late that the worker gives it up. */
  'page.hangs': 0.004,
  /** The tab is shown and hidden many times while the relay is unreachable. */
  'tab.flickers': 0.01,

  /** An endpoint is away for a while. */
  'rpc.isAway': 0.01,
  /** An endpoint says nothing until the deadline. */
  'rpc.saysNothing': 0.01,
  /** An endpoint answers a batch by one object. */
  'rpc.refusesBatch': 0.1,
  /** An endpoint limits calls in the body of its answer. */
  'rpc.limitsCalls': 0.03,
  /** The second endpoint is on another chain. */
  'rpc.showsAnotherChain': 0.2,
  'rpc.rateLimited': 0.03,
  'rpc.broken': 0.03,
  'rpc.unreachable': 0.02,
  'rpc.slow': 0.05,
  'rpc.lagging': 0.06,
  'rpc.otherChain': 0.03,
  /** An endpoint returns a different transaction. */
  'rpc.givesAnother': 0.2,
  /** Two endpoints disagree about the height, or about which payments there are. */
  'rpc.splitView': 0.8,
  /** An endpoint claims a height beyond the chain's. */
  'rpc.claimsHeight': 0.06,
  /** An endpoint does not know a blockhash that is still valid. */
  'rpc.forgetsBlockhash': 0.2,
  /** An endpoint does not answer the question for a blockhash. */
  'rpc.isSilent': 0.1,
  /** A node serves no sockets at this try, or knows no subscriptions. */
  'socket.refuses': 0.2,
  'socket.knowsNothing': 0.05,
  /** A node closes its socket, or it looks open and tells nothing any more. */
  'socket.drops': 0.02,
  'socket.halfOpens': 0.02,
  /** A node tells news of orders that did not happen. */
  'socket.lies': 0.05,
  'answer.doubled': 0.02,
  'terms.invalid': 0.02,
  'terms.changed': 0.01,
  'terms.ofAnotherChain': 0.02,
  /** The host serves terms with another treasury or authority, or the team moves its treasury and announces it. */
  'terms.otherTreasury': 0.1,
  'terms.otherAuthority': 0.05,
  'mint.otherDecimals': 0.02,
  'feed.lies': 0.1,
  /** Every node says what the terms contradict, or what contradicts itself. */
  'sale.contradicts': 0.004,
  'order.contradicts': 0.1,
  'legal.otherDocument': 0.02,
  'allowlist.otherList': 0.1,
  'team.pauses': 0.02,
  'team.closes': 0.005,
  'directory.fails': 0.1,
  /** The analytics service is busy, takes an event for malformed, or refuses the page. */
  'pulse.fails': 0.3,
  /** A service is out of order, or refuses a call. */
  'services.fail': 0.2,
  'services.refuse': 0.1,

  /** Submitted bytes never reach a leader. */
  'chain.loses': 0.15,
  /** A visible block is dropped before it is final. */
  'chain.forks': 0.05,
  'chain.failsOnChain': 0.04,
  'chain.refusesSimulation': 0.05,
  /** The built transaction pays something else. */
  'chain.buildsAnother': 0.03,
  'chain.refusesPreflight': 0.12,

  'relay.refusesToOpen': 0.1,
  'relay.unauthorized': 0.03,
  /** The relay has too many requests. */
  'relay.isBusy': 0.03,
  /** The relay is unreachable for a while. */
  'relay.isDown': 0.02,
  /** The relay closes the socket, with or without a close code. */
  'relay.drops': 0.05,
  /** The socket looks open, but transmits nothing. */
  'relay.halfOpens': 0.04,
  /** The relay carries out calls on this socket without answering them. */
  'relay.goesMute': 0.04,
  'relay.losesPush': 0.06,
  'relay.doublesPush': 0.06,
  'relay.delaysPush': 0.1,
  'relay.losesAcknowledgement': 0.05,
  'relay.garbles': 0.03,
  /** A message is garbage except for its id. */
  'relay.garblesPush': 0.03,
  'relay.failsCall': 0.05,
  'relay.ignoresCall': 0.05,
  /** A call is carried out, but its answer is lost. */
  'relay.losesAnswer': 0.04,
  'relay.delaysAnswer': 0.1,
  'relay.knowsNoProposal': 0.1,
  'relay.knowsNoPlainProposal': 0.1,
  'relay.knowsNoBatch': 0.05,
  'relay.knowsNoFetch': 0.1,
  'relay.knowsNoUnsubscribe': 0.05,
  'relay.takesFewTopics': 0.05,
  'relay.fetchesInPages': 0.8,
  'relay.delaysFetch': 0.1,
  /** A page of waiting messages is empty, and another one is announced. */
  'relay.promisesMore': 0.1,
  /** A link is lost, arrives twice, or is overtaken. */
  'link.lost': 0.08,
  'link.twice': 0.1,
  'link.late': 0.15,
  /** The browser requires a press before it opens a link. */
  'link.noPress': 0.15,
  'link.opensNoWallet': 0.06,
  /** The page is opened by a link without a message, or with a forged one. */
  'link.garbled': 0.1,
  'link.forged': 0.1,
  'vault.fails': 0.02,
  'vault.losesKey': 0.02,
  'vault.slow': 0.08,
  'vault.cannotOpen': 0.02,

  /** The verify service is silent, late, or has no attestation. */
  'verify.isSilent': 0.15,
  'verify.isLate': 0.15,
  'verify.hasNoWord': 0.1,

  'wallet.declines': 0.12,
  'wallet.isSilent': 0.08,
  'wallet.isLate': 0.1,
  /** The wallet answers before the relay acknowledges the request. */
  'wallet.isQuick': 0.3,
  'wallet.answersTwice': 0.1,
  'wallet.failsAfter': 0.5,
  'wallet.altersTransaction': 0.06,
  /** The wallet changes the transaction it sends itself, and that lands. */
  'wallet.sendsAnother': 0.1,
  'wallet.talksNonsense': 0.05,
  /** The wallet answers an unknown request, or over a different session. */
  'wallet.answersAnother': 0.1,
  'wallet.answersElsewhere': 0.5,
  'wallet.changesAccount': 0.05,
  'wallet.disconnects': 0.03,
  'wallet.isMissing': 0.05,
  'wallet.settlesBadly': 0.3,
  /** The settlement reaches the relay before the answer to the proposal. */
  'wallet.settlesFirst': 0.15,
  /** Two wallets scan the same code and approve. */
  'wallet.isNotAlone': 0.1,
  /** The wallet declines a payment and signs it later. */
  'wallet.saysNoFirst': 0.2,
  /** The wallet declines or reports a failure, and signs later. */
  'wallet.changesMind': 0.8,
  /** The wallet updates a session twice, and the relay delivers the later update first. */
  'wallet.changesTwice': 0.05,
  'wallet.deletesSession': 0.02,
  /** The wallet signs something else, or with another key. */
  'wallet.signsAnother': 0.25,
  /** A third party publishes an unencrypted envelope on a topic. */
  'wallet.sealsNothing': 0.05,
} as const satisfies Record<string, number>

export type Fault = keyof typeof faults

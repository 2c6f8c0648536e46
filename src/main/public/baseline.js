// Runs before everything else and in every browser, so it is written in the language of 2009: it finds out whether this
// browser and this address can run the page at all, and says one sentence where they cannot.
;(function () {
  'use strict'

  function moduleWorkers() {
    // Reading `type` is the only sign a browser gives: one that knows module workers asks for it. Nothing is started, as
    // the address has no script. Not tried where Trusted Types are: they came after module workers, and would complain.
    var asked = false
    var options = {
      get type() {
        asked = true
        return 'module'
      },
    }
    try {
      new Worker('blob://', options).terminate()
    } catch (refused) {
      // Refusing the address is expected; the options have been read before.
    }
    return asked
  }

  function problem() {
    if (typeof Worker === 'undefined' || typeof Promise === 'undefined' || typeof URL === 'undefined') return old
    if (!Object.hasOwn || !Array.prototype.at) return old
    if (!('noModule' in document.createElement('script'))) return old
    if (!window.CSS || !CSS.supports || !CSS.supports('color', 'light-dark(#000, #fff)')) return old
    if (!window.isSecureContext) return insecure
    if (!window.crypto || !crypto.subtle || !navigator.locks || !window.indexedDB) return old
    if (!window.trustedTypes && !moduleWorkers()) return old
    return ''
  }

  var old =
    'This browser is too old for this page: please update it, or open the page in a current Chrome, Edge, Firefox or Safari.'
  var insecure =
    'Open this page over https: over plain http the browser withholds what keeps your keys and your purchase safe.'

  function say(sentence) {
    // The script stands after the root element, so the page's own script finds no root any more and stays out of the way.
    var line = document.createElement('p')
    line.setAttribute('role', 'alert')
    line.textContent = sentence
    document.body.textContent = ''
    document.body.appendChild(line)
  }

  // The page's own script looks for this mark and leaves one, too: a browser runs no file whose hash is another.
  document.documentElement.setAttribute('data-baseline', '')
  var sentence = problem()
  if (sentence) say(sentence)
  else
    window.addEventListener('load', function () {
      var altered = document.getElementById('altered')
      if (altered && !document.documentElement.hasAttribute('data-begun')) altered.hidden = false
    })
})()

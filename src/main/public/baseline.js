// Runs first and in every browser, so it is written in ES5. Finds out whether this browser and this address can run the page,
// and shows one sentence where they cannot.
;(function () {
  'use strict'

  function moduleWorkers() {
    // A browser with module workers reads `type`; there is no other sign. No worker starts, as the address has no script.
    // Skipped where Trusted Types exist: they are newer than module workers, and would refuse the address.
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
      // The refusal is expected; the options were read before it.
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
    // Removes the root element too, so that the page's own script does not start.
    var line = document.createElement('p')
    line.setAttribute('role', 'alert')
    line.textContent = sentence
    document.body.textContent = ''
    document.body.appendChild(line)
  }

  // The page's own script checks this mark and sets its own: a browser runs no file with a wrong hash.
  document.documentElement.setAttribute('data-baseline', '')
  var sentence = problem()
  if (sentence) say(sentence)
  else
    window.addEventListener('load', function () {
      var altered = document.getElementById('altered')
      if (altered && !document.documentElement.hasAttribute('data-begun')) altered.hidden = false
    })
})()

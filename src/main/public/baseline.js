// ES5 for every browser: shows one sentence where the page cannot run
;(function () {
  'use strict'

  function moduleWorkers() {
    // Browsers with module workers read `type`; the address has no script to start
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
      // Expected
    }
    return asked
  }

  function problem() {
    if (typeof Worker === 'undefined' || typeof Promise === 'undefined' || typeof URL === 'undefined') return old
    if (!Object.hasOwn || !Array.prototype.at) return old
    if (!('noModule' in document.createElement('script'))) return old
    if (!window.CSS || !CSS.supports || !CSS.supports('color', 'light-dark(#000, #fff)')) return old
    if (!window.isSecureContext) return insecure
    if (!window.crypto || !crypto.subtle || !navigator.locks) return old
    // Trusted Types are newer than module workers
    if (!window.trustedTypes && !moduleWorkers()) return old
    return ''
  }

  var old =
    'This browser is too old for this page: please update it, or open the page in a current Chrome, Edge, Firefox or Safari.'
  var insecure =
    'Open this page over https: over plain http the browser withholds what keeps your keys and your purchase safe.'

  function say(sentence) {
    // The page needs its root element
    var line = document.createElement('p')
    line.setAttribute('role', 'alert')
    line.textContent = sentence
    document.body.textContent = ''
    document.body.appendChild(line)
  }

  // The page's script checks this mark and sets its own
  document.documentElement.setAttribute('data-baseline', '')
  var sentence = problem()
  if (sentence) say(sentence)
  else
    window.addEventListener('load', function () {
      var altered = document.getElementById('altered')
      if (altered && !document.documentElement.hasAttribute('data-begun')) altered.hidden = false
    })
})()

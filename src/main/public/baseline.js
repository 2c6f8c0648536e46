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

  function wasPressedEarly() {
    var shown = document.getElementById('pressed-early')
    var button = document.querySelector('[popovertarget="pressed-early"]')
    var pressed = false
    if (!shown || !button) return false
    try {
      pressed = shown.matches(':popover-open')
    } catch (unknown) {
      // Browsers without popovers
    }
    shown.parentNode.removeChild(shown)
    button.removeAttribute('popovertarget')
    button.removeAttribute('popovertargetaction')
    return pressed
  }

  function say(sentence) {
    // The page needs its root element
    var line = document.createElement('p')
    line.setAttribute('role', 'alert')
    line.textContent = sentence
    document.body.textContent = ''
    document.body.appendChild(line)
  }

  var page = document.documentElement
  // The page's script checks this mark and sets its own
  page.setAttribute('data-baseline', '')
  var sentence = problem()
  if (sentence) say(sentence)
  else {
    if (wasPressedEarly()) page.setAttribute('data-pressed', 'connect')
    // Until the page is drawn the prerendered button has no script: the page opens the wallets as soon as it is
    document.addEventListener('click', function (event) {
      var target = event.target
      var button = target && target.closest && target.closest('[data-testid="connect-button"]')
      if (button && !page.hasAttribute('data-drawn')) page.setAttribute('data-pressed', 'connect')
    })
    window.addEventListener('load', function () {
      if (page.hasAttribute('data-begun')) return
      var altered = document.getElementById('altered')
      var root = document.getElementById('root')
      if (altered) altered.hidden = false
      if (root) root.hidden = true
    })
  }
})()

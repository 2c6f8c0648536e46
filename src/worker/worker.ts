/**
 * The worker's entry. No file imports it: WebKit does not find an entry in its list of modules and would run it once more,
 * with a second core. So all code, which later parts share, is in files beside it.
 */
import './host/calls/serve.ts'

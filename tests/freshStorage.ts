/** The files of a thread share one document: nothing that a test stores is there in the next one, of this file or another. */
import { beforeEach } from 'vitest'

beforeEach(() => {
  if (typeof document === 'undefined') return
  localStorage.clear()
  sessionStorage.clear()
})

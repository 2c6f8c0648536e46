/** The types that stand in the package's public signatures: a host imports each from the entry it uses. */
import { expectTypeOf, test } from 'vitest'
import type * as plain from '../../../src/main/package/index.ts'
import type * as react from '../../../src/main/package/react.tsx'

type Modal = plain.DeferredModal
type First<Method extends keyof Modal> = Modal[Method] extends (first: infer T, ...rest: never) => unknown ? T : never
type Resolved<Method extends keyof Modal> = Modal[Method] extends (...args: never) => infer R ? Awaited<R> : never

test('package types: the entry names the types of its signatures', () => {
  expectTypeOf<First<'open'>>().toEqualTypeOf<plain.OpeningRequest | undefined>()
  expectTypeOf<plain.HostView>().toExtend<plain.OpeningRequest>()
  expectTypeOf<First<'setThemeMode'>>().toEqualTypeOf<plain.ThemeMode>()
  expectTypeOf<First<'setThemeVariables'>>().toEqualTypeOf<plain.ThemeVariables>()
  expectTypeOf<First<'updateFeatures'>>().toEqualTypeOf<plain.LiveFeatures>()
  expectTypeOf<First<'provider'>>().toEqualTypeOf<plain.ProviderOptions | undefined>()
  expectTypeOf<Resolved<'provider'>>().toEqualTypeOf<plain.Provider>()
  expectTypeOf<First<'signIn'>>().toEqualTypeOf<plain.SignInRequest>()
  expectTypeOf<Resolved<'signIn'>>().toEqualTypeOf<plain.SignedIn>()
})

test('package types: the React entry names them, too', () => {
  expectTypeOf<react.OpeningRequest>().toEqualTypeOf<plain.OpeningRequest>()
  expectTypeOf<react.HostView>().toEqualTypeOf<plain.HostView>()
  expectTypeOf<react.ThemeMode>().toEqualTypeOf<plain.ThemeMode>()
  expectTypeOf<react.ThemeVariables>().toEqualTypeOf<plain.ThemeVariables>()
  expectTypeOf<react.LiveFeatures>().toEqualTypeOf<plain.LiveFeatures>()
  expectTypeOf<react.Provider>().toEqualTypeOf<plain.Provider>()
  expectTypeOf<react.ProviderOptions>().toEqualTypeOf<plain.ProviderOptions>()
  expectTypeOf<react.SignInRequest>().toEqualTypeOf<plain.SignInRequest>()
  expectTypeOf<react.SignedIn>().toEqualTypeOf<plain.SignedIn>()
  expectTypeOf<react.DeferredModal>().toEqualTypeOf<plain.DeferredModal>()
  expectTypeOf<react.WalletState['publicKey']>().toEqualTypeOf<react.WalletPublicKey | null>()
  expectTypeOf<react.WalletInfo>().toEqualTypeOf<plain.WalletInfo>()
})

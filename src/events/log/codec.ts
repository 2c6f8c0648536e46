/** The codec of this product's log. */
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from '../schema/definitions.ts'
import { createCodec } from '../../runtime/log/createCodec.ts'

export const codec = /* @__PURE__ */ createCodec({
  inputs: allInputDefinitions,
  facts: factDefinitions,
  pageFacts: pageFactDefinitions,
})
export const { versionOf, encode } = codec

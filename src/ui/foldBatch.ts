/** Folds batches of core facts into the page's model. Loaded with the page's runtime, as no fact comes before it. */
import { produce } from 'immer'
import { foldShownFact, isShown } from '../events/coreFolds.ts'
import type { Model } from '../events/app.ts'
import { foldListing } from '../events/subjects/service/listing.ts'
import type { ListingFact } from '../events/subjects/service/listingFacts.ts'
import type { FactRecord } from '../runtime/log/record.ts'
import { type FoldBatch, hiddenLimit } from './store.ts'

const isOfListing = ({ type }: FactRecord): boolean => type.startsWith('listing.')

/**
 * The directory after its facts. Their fold replaces each part that it changes, so it needs no draft: immer would wrap and search
 * every wallet of the list with each page.
 */
function listingAfter(listing: Model['listing'], facts: readonly FactRecord[]): Model['listing'] {
  const part = { listing: { ...listing } }
  for (const fact of facts) foldListing(part, fact as FactRecord & ListingFact)
  return Object.freeze(part.listing)
}

/** Up to `hiddenLimit` facts fold into an immer draft, more into a plain copy. */
export const foldBatch: FoldBatch = (model, batch) => {
  if (!batch.some(({ type }) => isShown(type))) return model
  const [ofListing, others] = [batch.filter(isOfListing), batch.filter(fact => !isOfListing(fact))]
  const foldInto = (into: Model) => {
    for (const fact of others) foldShownFact(into, fact)
  }
  let next = model
  if (batch.length < hiddenLimit) next = produce(model, foldInto)
  else foldInto((next = structuredClone(model)))
  // Frozen, immer passes over it
  return ofListing.length === 0 ? next : Object.freeze({ ...next, listing: listingAfter(model.listing, ofListing) })
}

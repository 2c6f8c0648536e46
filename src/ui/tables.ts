/**
 * Tables of the model that may hold thousands of rows. Copying one for each change would cost as much as all its rows, so they
 * are changed where they are: a row that changes is another object afterwards, and so is the table, at no cost.
 */
import type { CoreModel } from '../events/app.ts'

/** Immer takes nothing apart that is made by a class of one's own. */
class Rows {
  [key: string]: unknown
}

type Holder = Record<string, Rows>
const places: readonly { in(model: CoreModel): Holder; name: string }[] = [
  ...['session', 'request'].map(name => ({ in: (model: CoreModel) => model as unknown as Holder, name })),
  ...['made', 'bySession'].map(name => ({ in: (model: CoreModel) => model.connection as unknown as Holder, name })),
]

export type Tables = {
  /** @returns the model with its tables in here from now on; those of the model before are let go */
  adopt<M extends CoreModel>(model: M): M
  /** @returns a copy of the model with the same tables, for folding into it */
  copy<M extends CoreModel>(model: M): M
  /** Runs what folds into a model, or into a draft of it; tables that changed are other ones afterwards. */
  change(model: CoreModel, fold: () => void): void
}

export function createTables(): Tables {
  let all: Rows[] = []
  /** while facts are folded: rows that were looked at, as they were and as a fold may have written into them */
  let touched: { rows: Rows; key: string; was: object; is: object }[] | undefined
  const copies = new Set<unknown>()
  const changed = new Set<Rows>()

  const shown: ProxyHandler<Rows> = {
    get(rows, key) {
      const row = Reflect.get(rows, key) as unknown
      if (!touched || typeof key === 'symbol' || typeof row !== 'object' || row === null || copies.has(row)) return row
      const copy = { ...row }
      rows[key] = copy
      copies.add(copy)
      touched.push({ rows, key, was: row, is: copy })
      return copy
    },
    set(rows, key, row) {
      changed.add(rows)
      return Reflect.set(rows, key, row)
    },
    deleteProperty(rows, key) {
      changed.add(rows)
      return Reflect.deleteProperty(rows, key)
    },
  }

  function put(model: CoreModel, which: (rows: Rows) => boolean): void {
    for (const [index, place] of places.entries()) {
      const rows = all[index]
      if (rows && which(rows)) place.in(model)[place.name] = new Proxy(rows, shown)
    }
  }

  /** Rows that no fold has changed are the very same again. */
  function settle(): void {
    for (const { rows, key, was, is } of touched ?? []) {
      if (rows[key] !== is) continue
      if (isSame(was, is)) rows[key] = was
      else changed.add(rows)
    }
    touched = undefined
    copies.clear()
  }

  return {
    adopt(model) {
      const adopted = { ...model, connection: { ...model.connection } }
      all = places.map(place => Object.assign(new Rows(), place.in(model)[place.name]))
      put(adopted, () => true)
      return adopted
    },
    copy(model) {
      const rest = { ...model, connection: { ...model.connection } }
      for (const place of places) place.in(rest)[place.name] = {}
      const copy = structuredClone(rest)
      put(copy, () => true)
      return copy
    },
    change(model, fold) {
      touched = []
      try {
        fold()
      } finally {
        settle()
      }
      put(model, rows => changed.has(rows))
      changed.clear()
    },
  }
}

function isSame(one: Record<string, unknown> | object, other: object): boolean {
  const [before, after] = [one as Record<string, unknown>, other as Record<string, unknown>]
  const keys = Object.keys(after)
  return (
    keys.length === Object.keys(before).length &&
    keys.every(key => Object.hasOwn(before, key) && before[key] === after[key])
  )
}

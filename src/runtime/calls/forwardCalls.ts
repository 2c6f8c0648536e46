type Call = (...args: never[]) => Promise<unknown>

/**
 * @param to the calls that answer at this moment; a fault that it throws is the answer
 * @returns calls of these names that go there
 */
export function forwardCalls<T extends { [name in keyof T]: Call }>(
  names: readonly (keyof T & string)[],
  to: (name: keyof T & string) => T,
): T {
  const forward =
    (name: keyof T & string) =>
    async (...args: never[]) =>
      to(name)[name](...args)
  return Object.fromEntries(names.map(name => [name, forward(name)])) as unknown as T
}

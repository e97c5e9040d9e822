/** Sets and maps that are bounded: they keep what was put in last. */

/** Forgets what was put in first, until no more than `most` are left. */
export function keepNewest<K>(
  held: { readonly size: number; keys(): Iterator<K>; delete(key: K): boolean },
  most: number,
): void {
  const keys = held.keys()
  while (held.size > most) held.delete(keys.next().value as K)
}

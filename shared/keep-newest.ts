/** Bounded sets and maps: they keep the newest entries. */

/** Deletes the oldest entries until no more than `most` are left. */
export function keepNewest<K>(
  held: { readonly size: number; keys(): Iterator<K>; delete(key: K): boolean },
  most: number,
): void {
  const keys = held.keys()
  while (held.size > most) held.delete(keys.next().value as K)
}

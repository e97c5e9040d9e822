/**
 * Checks that wait for a tracer. Those that the same workers may answer are a group, so that neither the next check for a worker nor one
 * that no area present can answer is looked for among thousands: a frame has a check for each of its tiles, and an order for each check.
 */

/** Who may answer a check. */
export interface Terms {
  /** Fingerprint of the arithmetic that it takes. */
  readonly kernel: string
  /** Keys of the workers that may not answer it. */
  readonly closedTo: ReadonlySet<string>
  /** Whether it goes before those that are not. */
  readonly isUrgent: boolean
}

/** Who asks for a check. */
export interface Asker {
  readonly key: string
  readonly kernel: string
}

interface Group<Check> extends Terms {
  readonly name: string
  readonly checks: Set<Check>
}

/** Groups of one kernel, by name; the one that was asked last is the last. */
interface Shelf<Check> {
  readonly urgent: Map<string, Group<Check>>
  readonly others: Map<string, Group<Check>>
}

export class WaitingChecks<Check> {
  readonly #shelves = new Map<string, Shelf<Check>>()
  readonly #groups = new Map<Check, Group<Check>>()

  get size(): number {
    return this.#groups.size
  }

  /** All of them; any may be deleted meanwhile. */
  all(): Iterable<Check> {
    return this.#groups.keys()
  }

  add(check: Check, terms: Terms): void {
    const shelf = this.#shelves.get(terms.kernel) ?? { urgent: new Map(), others: new Map() }
    this.#shelves.set(terms.kernel, shelf)
    const groups = terms.isUrgent ? shelf.urgent : shelf.others
    const name = JSON.stringify([...terms.closedTo].sort())
    const group = groups.get(name) ?? { ...terms, name, checks: new Set() }
    groups.set(name, group)
    group.checks.add(check)
    this.#groups.set(check, group)
  }

  delete(check: Check): void {
    const group = this.#groups.get(check)
    if (!group) return
    this.#groups.delete(check)
    group.checks.delete(check)
    if (group.checks.size === 0) this.#of(group).delete(group.name)
  }

  /** Takes a check that a worker may answer: an urgent one if there is any, otherwise of the groups in turn. */
  take({ key, kernel }: Asker): Check | undefined {
    const shelf = this.#shelves.get(kernel)
    if (!shelf) return undefined
    for (const groups of [shelf.urgent, shelf.others])
      for (const group of groups.values()) {
        if (group.closedTo.has(key)) continue
        const [check] = group.checks
        this.delete(check!)
        // One worker's rows are not all checked before the next one's.
        if (groups.delete(group.name)) groups.set(group.name, group)
        return check
      }
    return undefined
  }

  /** A check that none of these may answer. */
  closedTo(present: readonly Asker[]): Check | undefined {
    for (const [kernel, { urgent, others }] of this.#shelves) {
      const able = present.filter(asker => asker.kernel === kernel)
      for (const { closedTo, checks } of [...urgent.values(), ...others.values()])
        if (able.every(({ key }) => closedTo.has(key))) return checks.values().next().value
    }
    return undefined
  }

  #of({ kernel, isUrgent }: Terms): Map<string, Group<Check>> {
    const { urgent, others } = this.#shelves.get(kernel)!
    return isUrgent ? urgent : others
  }
}

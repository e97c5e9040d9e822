/** The order of workers in plans, reports and lists: by name, worker-10 after worker-9, the same on every machine. */
const COLLATOR = new Intl.Collator('en', { numeric: true })

export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  COLLATOR.compare(a.name, b.name)

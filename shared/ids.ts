/**
 * Identities that must not be mixed up. A lease goes to an area: one device of a worker, with its engine and speed. An area's id is
 * unique for the master's life, a lease's, too.
 */

export type AreaId = string & { readonly brand: 'area' }
export type LeaseId = number & { readonly brand: 'lease' }

export const areaId = (text: string): AreaId => text as AreaId
export const leaseId = (number: number): LeaseId => number as LeaseId

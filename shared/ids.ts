/**
 * Ids that must not be mixed up. A lease goes to an area: one device of a worker, with its engine and speed. The ids of areas and
 * of leases are unique for the lifetime of the master.
 */

export type AreaId = string & { readonly brand: 'area' }
export type LeaseId = number & { readonly brand: 'lease' }

export const areaId = (text: string): AreaId => text as AreaId
export const leaseId = (number: number): LeaseId => number as LeaseId

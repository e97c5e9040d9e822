/** Identities that must not be mixed up. A worker's id is unique for the master's life, a lease's for the job's. */

export type WorkerId = string & { readonly brand: 'worker' }
export type LeaseId = number & { readonly brand: 'lease' }

export const workerId = (text: string): WorkerId => text as WorkerId
export const leaseId = (number: number): LeaseId => number as LeaseId

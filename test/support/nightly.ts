/** How often properties are tried: as often as it takes to find what is commonly wrong, and ten times that with SORTFIRST_NIGHTLY=1. */
export const isNightly = process.env.SORTFIRST_NIGHTLY === '1'

/** Of a property that is tried so often in every run. */
export const times = (everyRun: number): number => (isNightly ? 10 * everyRun : everyRun)

/** Default strategies. Kept apart from the strategies so that showing the program's help loads none of them. */

/** The default of `render`. */
export const DEFAULT_STRATEGY = 'predictive'

/** What `compare` compares by default: the baseline, the paper's tree, and ours. */
export const COMPARED_STRATEGIES = 'static-blocks,pbt,predictive'

/** The baseline of every comparison that includes it: equal blocks, without balancing. */
export const BASELINE_STRATEGY = 'static-blocks'

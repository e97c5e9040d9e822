/** What is chosen for those who do not choose. Beside the program's options, so that showing its help loads no strategy. */

/** How `render` shares a frame. */
export const DEFAULT_STRATEGY = 'predictive'

/** What `compare` sets side by side: the baseline, the paper's tree, and ours. */
export const COMPARED_STRATEGIES = 'static-blocks,pbt,predictive'

/** What others are measured against wherever it runs: equal blocks, the screen unbalanced. */
export const BASELINE_STRATEGY = 'static-blocks'

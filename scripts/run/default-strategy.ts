/** What is chosen for those who do not choose. Beside the program's options, so that showing its help loads no strategy. */

/** How `render` shares a frame, and what `compare` sets against the baseline. */
export const DEFAULT_STRATEGY = 'pbt'

/** What others are measured against wherever it runs: equal blocks, the screen unbalanced. */
export const BASELINE_STRATEGY = 'static-blocks'

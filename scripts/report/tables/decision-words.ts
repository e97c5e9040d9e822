/** What strategies count as their decisions, a sentence each. */

const WORDS: Readonly<Record<string, string>> = {
  // predictive
  probes:
    'Frames whose costs were estimated from one pixel in each cell before they were shared out; 1 is every frame.',
  learnedSpeeds: 'Workers whose measured speed is used in place of the one they declared.',
  // Strategies with small tiles that migrate between workers.
  objects: 'Small tiles that may move to another worker.',
  assigned: 'Small tiles that were placed without regard to where they were before.',
  moved: 'Tiles whose worker changed since the frame before; with pbt-split-merge, leaves that were split.',
  swapped: 'Pairs of small tiles that two workers exchanged.',
  refused: 'Times that an overloaded worker had no tile that another one could take.',
  stuck: 'Workers that stayed above the tolerated load.',
  heapOperations: 'Steps of the search for the least loaded worker: what deciding costs.',
  // split-merge
  tiles: 'Tiles of the frame, after heavy ones were split and light ones merged.',
  // Workers with accelerators.
  acceleratorShare: 'Share of the work inside a worker that was planned for its accelerators, mean of the workers.',
}

/** The sentence for a decision; undefined for one that a user's own strategy counts. */
export const decisionWords = (decision: string): string | undefined =>
  Object.hasOwn(WORDS, decision) ? WORDS[decision] : undefined

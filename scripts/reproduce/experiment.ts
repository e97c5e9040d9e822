/** An experiment of a paper, made again: what they found, what we find, and why the two differ. */

/** The papers, by the numbers that the project knows them by. */
export const PAPERS = {
  '000': {
    title: 'Dynamic Load Balancing Method Based on PBT Tree',
    authors: 'Z. Lin, C. Ren, H. Huang, X. Li',
    about: 'One frame, traced by a cluster: the screen is cut with a Prediction Binary Tree.',
  },
  '002': {
    title: 'Load balancing in Charm++: Greedy, Refine, RefineSwap',
    authors: 'Parallel Programming Laboratory, University of Illinois',
    about: 'Objects that migrate between processors; here each is a small tile of the frame.',
  },
  '003': {
    title: 'One Approach to Computational Load Balancing within the Node of Hybrid Computing System',
    authors: 'T. Baranova, A. Bugerya, E. Gladkova, K. Efimkin',
    about: 'The CPU and an accelerator of one node share its work; the boundary follows the load of the CPU.',
  },
} as const

export type Paper = keyof typeof PAPERS

export type Facts = Readonly<Record<string, number | string | null | readonly number[]>>

export interface Experiment {
  readonly paper: Paper
  readonly name: string
  /** Figures as published, as far as the text gives them, and ours. */
  readonly theirs: Facts
  readonly ours: Facts
  /** What differs, and why. */
  readonly note: string
}

/** With what the page shows of it. */
export interface ShownExperiment extends Experiment {
  /** SVG texts and images as data URIs, each with a caption. */
  readonly figures: readonly { readonly caption: string; readonly svg?: string; readonly image?: string }[]
}

/** What a run too small to find anything shows: what is made, and none of its figures. */
export const withoutFindings = ({ ours: _, figures, ...experiment }: ShownExperiment): ShownExperiment => ({
  ...experiment,
  ours: {},
  figures: figures.filter(({ image }) => image !== undefined),
})

/** To the four digits that figures are given with. */
export const round = (value: number): number => Number(value.toPrecision(4))

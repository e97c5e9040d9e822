/** What is not there says why instead. */
export interface Unavailable {
  readonly unavailable: string
}

export const isUnavailable = (result: object): result is Unavailable => 'unavailable' in result

/** An unavailable engine, with the reason. */
export interface Unavailable {
  readonly unavailable: string
}

export const isUnavailable = (result: object): result is Unavailable => 'unavailable' in result

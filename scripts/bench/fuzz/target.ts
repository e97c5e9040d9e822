import type { Dice } from './dice.ts'

/** Something that reads what peers send. */
export interface Target {
  readonly name: string
  /** Its share of the inputs. */
  readonly share: number
  /** Whether it mostly waits, so that others go on meanwhile. */
  readonly waits?: true
  /**
   * Makes an input and has it read; the answer is `taken`, or why it was refused.
   * Rejects with Fault if something happens that no input may cause.
   */
  play(dice: Dice): Promise<string>
}

/** Everything that is due is done. */
export const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Processes of this program that end with the bench that started them. */
import { Child } from './child.ts'

/** Runs `work` with children, which end with it. */
export async function withChildren<T>(signal: AbortSignal, work: (add: AddChild) => Promise<T>): Promise<T> {
  const children: Child<unknown>[] = []
  const killAll = () => {
    for (const child of children) child.kill()
  }
  process.once('exit', killAll)
  signal.addEventListener('abort', killAll)
  try {
    return await work((name, args) => {
      signal.throwIfAborted()
      const child = new Child<never>(name, args.map(String))
      children.push(child)
      return child
    })
  } finally {
    await Promise.all(children.map(child => child.end()))
    process.off('exit', killAll)
    signal.removeEventListener('abort', killAll)
  }
}

export type AddChild = <T>(name: string, args: readonly (string | number)[]) => Child<T>

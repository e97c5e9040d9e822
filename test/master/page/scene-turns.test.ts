/** Views that need other scenes: one is made at a time, the newest view waits, and what cannot be made holds nothing up. */
import { describe, expect, it } from 'vitest'
import { OfferedFiles } from '../../../master/page/offered-files.ts'
import { SceneTurns } from '../../../master/page/scene-turns.ts'

interface View {
  readonly key: string
  readonly number: number
}

function turns() {
  const making: { readonly key: string; end(problem?: string): Promise<void> }[] = []
  const shown: string[] = []
  const failed: string[] = []
  const made = new SceneTurns<View, string>(
    ({ key }) => key,
    ({ key }) =>
      new Promise((resolve, reject) => {
        const end = async (problem?: string) => {
          if (problem === undefined) resolve(`scene ${key}`)
          else reject(new Error(problem))
          // What follows has been done by then.
          for (let i = 0; i < 5; i++) await Promise.resolve()
        }
        making.push({ key, end })
      }),
    ({ number }, scene) => void shown.push(`${number} ${scene}`),
    error => void failed.push(`${error}`),
  )
  return { made, making, shown, failed }
}

describe('views of several scenes', () => {
  it('wait for their scene, the newest in place of older ones; those of the same scene do not wait', async () => {
    const { made, making, shown } = turns()
    made.show({ key: 'a', number: 1 })
    for (const number of [2, 3]) made.show({ key: 'b', number })
    expect([making.length, shown.length]).toEqual([1, 0])
    await making[0]!.end()
    expect(shown).toEqual(['1 scene a'])
    await making[1]!.end()
    made.show({ key: 'b', number: 4 })
    expect(shown).toEqual(['1 scene a', '3 scene b', '4 scene b'])
    expect(making.map(({ key }) => key)).toEqual(['a', 'b'])
  })

  it('go on with the next one after a scene that cannot be made', async () => {
    const { made, making, shown, failed } = turns()
    made.show({ key: 'a', number: 1 })
    made.show({ key: 'b', number: 2 })
    await making[0]!.end('no such sun')
    await making[1]!.end()
    expect([failed, shown]).toEqual([['Error: no such sun'], ['2 scene b']])
  })
})

describe('offered files', () => {
  const file = { name: 'a.png', type: 'image/png', bytes: new Uint8Array(1) }

  it('are taken once, within their time, and the oldest make room', () => {
    const alarms: (() => void)[] = []
    let disarmed = 0
    const files = new OfferedFiles(wake => {
      alarms.push(wake)
      return () => void disarmed++
    })
    const first = files.offer(file)
    expect(first).toMatch(/^file-[\w-]{43}$/)
    expect([files.take(first), files.take(first)]).toEqual([file, undefined])
    const late = files.offer(file)
    alarms[1]!()
    expect(files.take(late)).toBeUndefined()
    const many = Array.from({ length: 9 }, () => files.offer(file))
    expect(many.map(each => files.take(each) !== undefined)).toEqual([false, ...Array(8).fill(true)])
    files.offer(file)
    files.close()
    // No timer keeps the program from ending.
    expect(disarmed).toBe(alarms.length)
  })
})

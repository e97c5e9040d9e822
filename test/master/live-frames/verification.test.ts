/** What a session knows of the workers that it verifies. */
import { expect, it } from 'vitest'
import { Verification } from '../../../master/live-frames/verification.ts'
import { leaseNumbers } from '../../../master/scheduling/lease-numbers.ts'
import { areaId } from '../../../shared/ids.ts'

it('names the frames of a liar in a message that a client accepts, however many they are', () => {
  const said: string[] = []
  const expelled: string[] = []
  const liar = { area: areaId('w1'), name: 'anna', key: 'anna', kernel: 'k' }
  const verification = new Verification(1, {
    cluster: { tracerOf: () => liar, expel: (_, what) => void expelled.push(what), isExpelled: () => false },
    random: () => 0,
    numbers: leaseNumbers(),
    status: text => void said.push(text),
  })
  for (let frame = 0; frame < 100_000; frame += 2) verification.made(frame, ['ben', 'anna'])
  verification.expel(liar, 'its pixels differ')
  expect(said).toEqual([
    expect.stringMatching(
      /^warning: worker anna is expelled: its pixels differ; frames .*, 99998 and \d+ others of this session have/,
    ),
  ])
  // The longest text of a status message.
  expect(said[0]!.length).toBeLessThan(2000)
  expect(expelled[0]!.length).toBeLessThan(2000)
})

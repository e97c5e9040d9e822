import { expect, it } from 'vitest'
import { type Members, reportMembership } from '../../../master/sessions/membership.ts'
import { areaId } from '../../../shared/ids.ts'

it('workers of another engine are not said to join', () => {
  const worker = (id: string, engine: string) => ({ id, name: id, speed: 1, engine, threads: 1 })
  let ready: (id: string) => void = () => {}
  const cluster: Members = {
    workers: () => [worker('ours', 'wasm'), worker('other', 'reference')],
    subscribe: listener => {
      ready = id => listener.ready?.(areaId(id), 'scene')
      return () => {}
    },
  }
  const said: string[] = []
  reportMembership(cluster, 'wasm', 'scene', [], { status: text => said.push(text) })
  ready('other')
  ready('ours')
  ready('ours')
  expect(said).toEqual(['worker ours joined'])
})

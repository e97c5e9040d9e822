/** A page without a browser, with what it is sent. */
import { type Came, PageClient } from '../../scripts/bench/view/page-client.ts'
import type { FromPage } from '../../shared/page/from-page.ts'
import type { ToPage } from '../../shared/page/page-messages.ts'

export async function open(link: string) {
  const came: Came[] = []
  const heard: ToPage[] = []
  let wake = () => {}
  const client = await PageClient.open(link, {
    picture: each => {
      came.push(each)
      wake()
    },
    said: message => {
      heard.push(message)
      wake()
    },
  })
  /** Resolves with the first that suits. */
  const until = async <T>(found: () => T | undefined): Promise<T> => {
    for (;;) {
      const there = found()
      if (there !== undefined) return there
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  const said = <K extends ToPage['type']>(type: K, from = 0) =>
    until(() => heard.slice(from).find((each): each is Extract<ToPage, { type: K }> => each.type === type))
  const finished = (seq: number) => until(() => came.find(({ facts: f }) => f.seq === seq && f.stage === 'finished'))
  /** Asks, and resolves with the next message of a type. */
  const ask = async <K extends ToPage['type']>(message: FromPage, type: K) => {
    const from = heard.length
    client.say(message)
    return said(type, from)
  }
  return { client, came, heard, until, said, ask, finished, view: await client.view }
}

export type Page = Awaited<ReturnType<typeof open>>

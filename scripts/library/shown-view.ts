/** A scene that a master shows on its page, and the links to it. */
import { networkInterfaces } from 'node:os'
import type { ViewSource } from '../../master/page/view-source.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import type { SessionOrder } from '../../shared/protocol/session-order.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'

export interface ShownScene {
  /** For one browser, within a minute. Rejects when the master is lost, or does not show it. */
  link(): Promise<string>
  close(): void
  /** Rejects when the master is lost, or all of its workers that were started here. */
  readonly lost: Promise<never>
}

/** Resolves when the page shows it. Rejects as `link` does. */
export type ShowScene = (
  order: SessionOrder,
  scene: NamedScene,
  facts: ViewFacts,
  signal: AbortSignal,
  /** What its pages may ask for; of a master elsewhere, for other scenes only. */
  source?: ViewSource,
) => Promise<ShownScene>

/** @param master its WebSocket address; a proxy before it may have added a path */
export const linkOf = (master: string, ticket: string): string => `${pageOf(master)}#${ticket}`

/** The page that makes a tab a worker. */
export const joinLinkOf = (master: string, ticket: string): string => `${pageOf(master, outerAddress())}join#${ticket}`

/**
 * The same link for browsers that reach the page elsewhere.
 * @param page http or https, with the path of the page or none; undefined: where the link says
 */
export function linkAt(link: string, page: string | undefined): string {
  if (page === undefined) return link
  const { pathname, hash } = new URL(link)
  return `${page.endsWith('/') ? page : `${page}/`}${pathname.slice(pathname.lastIndexOf('/') + 1)}${hash}`
}

/** By which other machines reach this one, as far as it knows. */
const outerAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

function pageOf(master: string, ofAll = '127.0.0.1'): string {
  const url = new URL(master)
  // An address that stands for all addresses of a machine is none to open.
  const host = ['0.0.0.0', '[::]'].includes(url.hostname) ? ofAll : url.hostname
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`
  return `${url.protocol === 'wss:' ? 'https' : 'http'}://${host}${url.port ? `:${url.port}` : ''}${path}`
}

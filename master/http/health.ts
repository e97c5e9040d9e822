/** The master's plain HTTP interface: its health, the workers in the cluster, and metrics. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AreaHealth } from '../cluster/area-health.ts'
import { EXPOSITION_TYPE } from '../metrics/exposition.ts'
import type { Refusal } from './access.ts'

export interface ClusterHealth {
  /** Areas of all workers, and what each is doing. */
  readonly workers: readonly AreaHealth[]
  /** How many workers the work in hand is worth: what an autoscaler goes by. */
  readonly workersWanted: number
  readonly sessions: number
  /** Connections of all kinds. */
  readonly connections: number
  /** Peers refused since the start, by reason. */
  readonly refused: Readonly<Record<string, number>>
}

/**
 * Answers `GET /healthz` with JSON `{ status, workers, workersWanted, sessions, connections, refused }`, `GET /metrics` with those that Prometheus
 * reads, anything else with a hint.
 */
export function answer(
  request: IncomingMessage,
  response: ServerResponse,
  health: () => ClusterHealth,
  metrics: () => string,
): void {
  const isKnown = request.url === '/healthz' || request.url === '/metrics'
  if (isKnown && request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...HEADERS, allow: 'GET, HEAD', 'content-type': 'text/plain' })
    response.end(`expected GET ${request.url}, got ${request.method}\n`)
    return
  }
  if (request.url === '/healthz') {
    response.writeHead(200, { ...HEADERS, 'content-type': 'application/json' })
    response.end(`${JSON.stringify({ status: 'ok', ...health() })}\n`)
    return
  }
  if (request.url === '/metrics') {
    response.writeHead(200, { ...HEADERS, 'content-type': EXPOSITION_TYPE })
    response.end(metrics())
    return
  }
  response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain' })
  response.end('This is a sortfirst master: connect workers and clients over WebSocket, or GET /healthz or /metrics.\n')
}

/** Answers a request that is not allowed. */
export function refuse(response: ServerResponse, { status, reason, headers }: Refusal): void {
  response.writeHead(status, { ...HEADERS, ...headers, 'content-type': 'text/plain' })
  response.end(`${reason}\n`)
}

/** No other page may embed an answer, guess its type, or find it in a cache. */
const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
} as const

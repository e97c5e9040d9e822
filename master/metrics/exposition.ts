/**
 * Metrics as Prometheus reads them: its text format, version 0.0.4 ("Exposition formats", prometheus.io/docs). Base units only: seconds and
 * bytes. Pure. What is counted here is known by a handful of labels, so that the text stays short however large the cluster is.
 */

export interface Metric {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly samples: readonly Sample[]
}

interface Sample {
  /** After the name of the metric: `_sum`, of a histogram. */
  readonly suffix?: string
  readonly labels?: Labels
  readonly value: number
}

type Labels = Readonly<Record<string, string>>

/** What its server is told that the text is. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export const exposition = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelText(labels)} ${valueText(value)}`),
    ])
    .map(line => `${line}\n`)
    .join('')

/** One number, or one for each value of a label. */
export const counter = (name: string, help: string, value: number | readonly Labelled[]): Metric =>
  plain('counter', name, help, value)
export const gauge = (name: string, help: string, value: number | readonly Labelled[]): Metric =>
  plain('gauge', name, help, value)

export type Labelled = readonly [labels: Labels, value: number]

const plain = (type: 'counter' | 'gauge', name: string, help: string, value: number | readonly Labelled[]): Metric => ({
  ...{ type, name, help },
  samples: typeof value === 'number' ? [{ value }] : value.map(([labels, value]) => ({ labels, value })),
})

/** Numbers that were observed, in buckets with upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  /** @param bounds in ascending order */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    const at = this.#bounds.findIndex(bound => value <= bound)
    if (at >= 0) this.#counts[at]!++
    this.#sum += value
    this.#count++
  }

  metric(name: string, help: string): Metric {
    let below = 0
    const buckets = this.#bounds.map((bound, i): Sample => {
      below += this.#counts[i]!
      return { suffix: '_bucket', labels: { le: `${bound}` }, value: below }
    })
    return {
      ...{ name, help, type: 'histogram' },
      samples: [
        ...buckets,
        { suffix: '_bucket', labels: { le: '+Inf' }, value: this.#count },
        { suffix: '_sum', value: this.#sum },
        { suffix: '_count', value: this.#count },
      ],
    }
  }
}

function labelText(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const valueText = (value: number): string =>
  Number.isFinite(value) ? `${value}` : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'

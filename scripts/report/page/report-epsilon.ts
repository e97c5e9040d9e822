/** Explains ε: the three equations behind it, and one frame of this run worked through. */
import type { StrategySummary, Summary } from '../../../shared/frame/summary.ts'
import { html, type Markup, trusted } from '../charts/markup.ts'
import { hasCpuFigures } from '../figures/clocks.ts'
import { baselineOf } from '../figures/headline.ts'
import { formatRatio, formatShare, formatTime } from '../figures/numbers.ts'

/** Explains Eq. (1) to (3), for workers of different speeds. */
export function epsilonSection(summary: Summary): Markup {
  return html`<h3>How to read ε</h3>
<p>A frame is done when its slowest worker is. Let ω be the cost of a piece of work, S the speed of a worker (1 = nominal) and p the number of workers:</p>
<div class="equations">
<span class="number">Eq. (1)</span>${trusted(CRITICAL)}<p>what the frame waits for: the time of the slowest worker</p>
<span class="number">Eq. (2)</span>${trusted(PERFECT)}<p>what it would take if the work were shared perfectly; with speeds of 1 the divisor is p</p>
<span class="number">Eq. (3)</span>${trusted(EPSILON)}<p>how far the first is above the second: 0 is perfect, 1 is twice the time needed</p>
</div>
${hasCpuFigures(summary) && html`<p>${example(baselineOf(summary))}</p>`}
<p>The equations are those of Lin, Ren, Huang and Li, “Dynamic Load Balancing Method Based on PBT Tree”, §II.A, with Σ S in place of p.</p>`
}

function example({ name, frames }: StrategySummary): string {
  const frame = frames.reduce((worst, candidate) => (candidate.epsilonCpu > worst.epsilonCpu ? candidate : worst))
  return (
    `The most uneven frame of ${name} here was frame ${frame.frame}: its slowest worker needed ${formatTime(frame.criticalMs)} ` +
    `where a perfect share was ${formatTime(frame.meanMs)}, so ε = ${formatRatio(frame.epsilonCpu)}, and ` +
    `${formatShare(1 - 1 / (1 + frame.epsilonCpu))} of the workers' time would have been spent waiting.`
  )
}

const math = (rows: string): string => `<math display="inline"><mrow>${rows}</mrow></math>`
const SUM_OF_WORK =
  '<munder><mo>∑</mo><mrow><mi>i</mi><mo>∈</mo><mi>j</mi></mrow></munder><msub><mi>ω</mi><mi>i</mi></msub>'
const T_MIN = '<msub><mi>T</mi><mi>min</mi></msub>'
const fraction = (above: string, below: string): string =>
  `<mfrac displaystyle="true"><mrow>${above}</mrow><mrow>${below}</mrow></mfrac>`

const CRITICAL = math(
  `<mi>T</mi><mo>=</mo><munder><mo>max</mo><mi>j</mi></munder>${fraction(SUM_OF_WORK, '<msub><mi>S</mi><mi>j</mi></msub>')}`,
)
const PERFECT = math(
  `${T_MIN}<mo>=</mo>${fraction('<mo>∑</mo><msub><mi>ω</mi><mi>i</mi></msub>', '<mo>∑</mo><msub><mi>S</mi><mi>j</mi></msub>')}`,
)
const EPSILON = math(`<mi>ε</mi><mo>=</mo>${fraction(`<mi>T</mi><mo>−</mo>${T_MIN}`, T_MIN)}`)

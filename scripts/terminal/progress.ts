/** Shows progress: a bar on a terminal, lines elsewhere, or lines of JSON for programs; always on standard error. */
import { type Options, SingleBar } from 'cli-progress'
import { haveCpuClocks } from '../../shared/frame/cpu-clocks.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { meanSamples } from '../../shared/frame/samples-taken.ts'
import type { Log } from '../../shared/text/log.ts'
import { printable } from '../../shared/text/printable.ts'
import { formatTime } from '../report/figures/numbers.ts'
import { jsonLog, type LogForm, logLine, type Said } from './json-log.ts'
import { FilmToGo } from './time-to-go.ts'

/** What is said of a complete frame. */
type FrameFigures = Pick<
  FrameReport,
  'frame' | 'frameMs' | 'epsilonCpu' | 'epsilonWall' | 'workers' | 'passes' | 'size' | 'endedBy'
>

export interface Progress extends Log {
  /** Starts a series of frames. @param title whose frames they are; empty: no balancer's */
  begin(title: string, frames: number): void
  /** How far a frame of it has come. */
  within(progress: FrameProgress): void
  frame(report: FrameFigures): void
  /** Ends the series, complete or not. */
  end(): void
}

/** @param now ms */
export function createProgress(
  stream: NodeJS.WriteStream,
  form: LogForm = 'text',
  now = () => performance.now(),
): Progress {
  const line = (text: string) => stream.write(`${printable(text)}\n`)
  if (form === 'json') return jsonProgress(line, now)
  return stream.isTTY ? barProgress(stream, line, now) : lineProgress(line, now)
}

/** @param now ms @param date for the time of lines */
export function jsonProgress(line: (text: string) => void, now: () => number, date = () => new Date()): Progress {
  let of: { strategy?: string } = {}
  let total = 0
  let toGo = new FilmToGo(0)
  const say = (said: Said) => line(logLine(said, date()))
  const secondsToGo = () => {
    const left = toGo.toGoMs
    return left ? { secondsToGo: { least: left.least / 1000, most: left.most / 1000 } } : {}
  }
  return {
    ...jsonLog(line, date),
    begin(title, frames) {
      of = title ? { strategy: title } : {}
      total = frames
      toGo = new FilmToGo(frames)
      say({ event: 'begin', ...of, frames })
    },
    within(progress) {
      toGo.within(progress)
      say({ event: 'progress', ...of, ...progress, percent: Math.floor(progress.least * 100), ...secondsToGo() })
    },
    frame(report) {
      toGo.frame(now(), report)
      const { frame, frameMs, epsilonCpu, workers, endedBy } = report
      const balance = of.strategy === undefined || !haveCpuClocks(workers) ? {} : { epsilonCpu }
      const ended = endedBy ? { endedBy } : {}
      say({
        event: 'frame',
        ...of,
        frame,
        done: toGo.done,
        frames: total,
        frameMs,
        ...balance,
        ...ended,
        ...secondsToGo(),
      })
    },
    end() {},
  }
}

/** Lines about a frame in progress are at least so far apart, and from those about complete ones, ms. */
const SAY_EVERY_MS = 5000

/** A line per frame, and for frames that take long, some before that. */
export function lineProgress(line: (text: string) => void, now: () => number): Progress {
  let title = ''
  let total = 0
  let saidAt = 0
  let toGo = new FilmToGo(0)
  const place = (frame: number) => `${title ? `${title}  ` : ''}frame ${String(frame).padStart(4)}`
  const say = (text: string) => {
    saidAt = now()
    line(text.trimEnd())
  }
  return {
    info: line,
    warn: text => line(`warning: ${text}`),
    begin(name, frames) {
      title = name
      total = frames
      saidAt = now()
      toGo = new FilmToGo(frames)
    },
    within(progress) {
      toGo.within(progress)
      if (now() - saidAt >= SAY_EVERY_MS) say(`${place(progress.frame)}  ${describePart(progress)}  ${toGo.left}`)
    },
    frame(report) {
      toGo.frame(now(), report)
      say(`${place(report.frame)}  ${toGo.done}/${total}  ${describe(report, title)}  ${toGo.left}`)
    },
    end() {},
  }
}

function barProgress(stream: NodeJS.WriteStream, line: (text: string) => void, now: () => number): Progress {
  let bar: SingleBar | undefined
  let title = ''
  let total = 0
  let toGo = new FilmToGo(0)
  const options: Options = {
    stream,
    format: '{title}{bar} {count}  {state}  {left}',
    barsize: 28,
    barCompleteChar: '━',
    barIncompleteChar: '─',
    hideCursor: true,
    clearOnComplete: false,
  }
  /** Writes a line above the bar. */
  const above = (text: string) => {
    if (!bar) return line(text)
    stream.write('\r\u001b[K')
    line(text)
    bar.render()
  }
  const show = (state: string) =>
    bar?.update(toGo.done + toGo.begun, { count: `${toGo.done}/${total}`, state, left: toGo.left })
  return {
    info: above,
    warn: text => above(`warning: ${text}`),
    begin(name, frames) {
      title = name
      total = frames
      bar = new SingleBar(options)
      toGo = new FilmToGo(frames)
      const first = { count: `0/${frames}`, state: 'waiting for the first frame', left: '' }
      bar.start(frames, 0, { title: name && `${name.padEnd(16)} `, ...first })
    },
    within(progress) {
      toGo.within(progress)
      show(describePart(progress))
    },
    frame(report) {
      toGo.frame(now(), report)
      show(describe(report, title))
    },
    end() {
      bar?.stop()
      bar = undefined
    },
  }
}

/** @param title of the series: without, no balance is of interest */
function describe({ frameMs, passes, size: [w, h], endedBy, ...figures }: FrameFigures, title: string): string {
  const epsilon = haveCpuClocks(figures.workers) ? figures.epsilonCpu : figures.epsilonWall
  const time = `${formatTime(Math.round(frameMs)).padStart(9)}${title ? `  ε ${epsilon.toFixed(3)}` : ''}`
  const ended = endedBy ? `, ended by ${endedBy}` : ''
  if (!passes) return `${time}${ended}`
  return `${time}  ${passes.length} ${passes.length === 1 ? 'pass' : 'passes'}, ${meanSamples(passes, w * h).toFixed(0)} samples/px${ended}`
}

/** For example `43 %  pass 3 of at most 7, to 64 samples/px, 31 % of the picture done`. */
function describePart({ least, pass, passes, samples, settled, timeMs }: FrameProgress): string {
  const percent = `${Math.floor(least * 100)} %`.padStart(5)
  if (passes === 1) return percent
  const most = settled === undefined && timeMs === undefined ? '' : 'at most '
  const done = settled ? `, ${Math.floor(settled * 100)} % of the picture has little noise` : ''
  return `${percent}  pass ${pass} of ${most}${passes}, to ${samples} samples/px${done}`
}

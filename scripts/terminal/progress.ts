/** Shows progress: a bar on a terminal, a line per frame elsewhere; always on standard error. */
import { type Options, SingleBar } from 'cli-progress'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import type { Log } from '../../shared/text/log.ts'
import { TimeToGo } from './time-to-go.ts'

export interface Progress extends Log {
  /** Starts a series of frames. */
  begin(title: string, frames: number): void
  frame(report: FrameReport): void
  /** Ends the series, complete or not. */
  end(): void
}

export function createProgress(stream: NodeJS.WriteStream): Progress {
  const line = (text: string) => stream.write(`${text}\n`)
  return stream.isTTY ? barProgress(stream, line) : lineProgress(line)
}

function lineProgress(line: (text: string) => void): Progress {
  let title = ''
  let total = 0
  let done = 0
  let toGo = new TimeToGo(0)
  return {
    info: line,
    warn: text => line(`warning: ${text}`),
    begin(name, frames) {
      title = name
      total = frames
      done = 0
      toGo = new TimeToGo(frames)
    },
    frame(report) {
      const place = `${title}  frame ${String(report.frame).padStart(4)}  ${++done}/${total}`
      line(`${place}  ${describe(report)}  ${toGo.frame(performance.now(), report.frameMs)}`.trimEnd())
    },
    end() {},
  }
}

function barProgress(stream: NodeJS.WriteStream, line: (text: string) => void): Progress {
  let bar: SingleBar | undefined
  let toGo = new TimeToGo(0)
  const options: Options = {
    stream,
    format: '{title} {bar} {value}/{total}  {state}  {left}',
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
  return {
    info: above,
    warn: text => above(`warning: ${text}`),
    begin(title, frames) {
      bar = new SingleBar(options)
      toGo = new TimeToGo(frames)
      bar.start(frames, 0, { title: title.padEnd(16), state: 'waiting for the first frame', left: '' })
    },
    frame: report =>
      bar?.increment(1, { state: describe(report), left: toGo.frame(performance.now(), report.frameMs) }),
    end() {
      bar?.stop()
      bar = undefined
    },
  }
}

function describe({ frameMs, epsilonCpu, passes, size: [w, h] }: FrameReport): string {
  const time = `${frameMs.toFixed(0).padStart(6)} ms  ε ${epsilonCpu.toFixed(3)}`
  if (!passes) return time
  const samples = passes.reduce((sum, { from, to, pixels }) => sum + (to - from) * pixels, 0)
  return `${time}  ${passes.length} passes, ${(samples / (w * h)).toFixed(0)} samples/px`
}

/** How a run shows that it is alive: a bar on a terminal, a line per frame elsewhere; always on standard error. */
import { type Options, SingleBar } from 'cli-progress'
import type { FrameReport } from '../../shared/frame-report.ts'
import type { Log } from '../../shared/log.ts'

export interface Progress extends Log {
  /** A series of frames begins. */
  begin(title: string, frames: number): void
  frame(report: FrameReport): void
  /** The series ended, whole or not. */
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
  return {
    info: line,
    warn: text => line(`warning: ${text}`),
    begin(name, frames) {
      title = name
      total = frames
      done = 0
    },
    frame: report =>
      line(`${title}  frame ${String(report.frame).padStart(4)}  ${++done}/${total}  ${describe(report)}`),
    end() {},
  }
}

function barProgress(stream: NodeJS.WriteStream, line: (text: string) => void): Progress {
  let bar: SingleBar | undefined
  const options: Options = {
    stream,
    format: '{title} {bar} {value}/{total}  {state}  {eta_formatted} left',
    barsize: 28,
    barCompleteChar: '━',
    barIncompleteChar: '─',
    hideCursor: true,
    clearOnComplete: false,
    etaBuffer: 5,
  }
  /** Writes a line above the bar. */
  const above = (text: string) => {
    if (!bar) return line(text)
    stream.write('\r\u001b[K')
    line(text)
    bar.updateETA()
    bar.render()
  }
  return {
    info: above,
    warn: text => above(`warning: ${text}`),
    begin(title, frames) {
      bar = new SingleBar(options)
      bar.start(frames, 0, { title: title.padEnd(16), state: 'waiting for the first frame' })
    },
    frame: report => bar?.increment(1, { state: describe(report) }),
    end() {
      bar?.stop()
      bar = undefined
    },
  }
}

const describe = ({ frameMs, epsilonCpu }: FrameReport): string =>
  `${frameMs.toFixed(0).padStart(6)} ms  ε ${epsilonCpu.toFixed(3)}`

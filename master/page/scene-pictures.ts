/**
 * One scene on one page: the page's views become frames of a session of its own, and these become pictures. The session begins with the first view, and
 * again with the next one if it has failed.
 */
import { messageOf } from '../../shared/errors.ts'
import { haveCpuClocks } from '../../shared/frame/cpu-clocks.ts'
import { MAX_FRAME_PX } from '../../shared/frame/frame-limits.ts'
import type { FrameProgress } from '../../shared/frame/frame-progress.ts'
import type { FrameReport } from '../../shared/frame/frame-report.ts'
import { raysPerPixel } from '../../shared/frame/rays-per-pixel.ts'
import type { Size } from '../../shared/frame/rect.ts'
import { samplesOf } from '../../shared/frame/samples-taken.ts'
import { cameraOf } from '../../shared/frame/viewpoint.ts'
import type { FromPage, PictureFormat } from '../../shared/page/from-page.ts'
import { askedScene } from '../../shared/page/hand.ts'
import { packDepths } from '../../shared/page/page-depths.ts'
import type { PictureFacts, PictureTile } from '../../shared/page/page-messages.ts'
import { packPicture } from '../../shared/page/page-pictures.ts'
import type { ViewFacts } from '../../shared/page/view-offer.ts'
import { cameraWords, HAND_WORDS, handWords } from '../../shared/page/view-words.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import type { NamedScene } from '../../shared/scene/held-scene.ts'
import type { FrameDepths, FramePreview, SessionRunner, SessionSink } from '../../shared/session/session.ts'
import { Viewer } from '../../shared/session/viewer.ts'
import type { Clock } from '../../shared/time/clock.ts'
import type { Alarm } from '../live-frames/tracers.ts'
import { WorkerPlaces } from './dashboard/worker-places.ts'
import { fitted } from './moving-size.ts'
import type { EncodePicture } from './picture-files.ts'
import { type NewestPicture, PictureQuestions, type QuestionPorts } from './picture-questions.ts'
import { SceneTurns } from './scene-turns.ts'
import { hasFirst, MOST_PASSES, settingsOf } from './shot-settings.ts'
import { ViewCost } from './view-cost.ts'
import { type Look, type LoopPorts, type Shot, ViewLoop } from './view-loop.ts'
import type { ShownView } from './view-source.ts'

export interface ScenePorts extends QuestionPorts {
  readonly run: SessionRunner['run']
  readonly clock: Clock
  readonly alarm: Alarm
  readonly encode: EncodePicture
  sendPicture(bytes: Uint8Array): void
  /** A picture of this page, for those that watch it. */
  made(picture: Picture): void
}

/** A picture that can be sent. */
export interface Picture {
  readonly facts: Omit<PictureFacts, 'picture'>
  readonly file: Uint8Array
  readonly depths: Uint8Array | undefined
  /** For pages that watch. */
  readonly newest?: NewestPicture
  readonly followed: NonNullable<PictureFacts['followed']>
}

/** What it is made of, and when that was there, ms. */
interface Made {
  readonly pixels: Uint8Array
  readonly at: number
  readonly depths: Uint8Array | undefined
  readonly newest?: NewestPicture
}

/** What a frame of a view costs at most, beside what its order says. */
export const MOST_OF_A_VIEW = { passes: MOST_PASSES, progressive: true } as const

export class ScenePictures {
  readonly #shown: ShownView
  readonly #ports: ScenePorts
  readonly #loop: ViewLoop<Picture>
  readonly #over = new AbortController()
  /** Undefined while no session runs. */
  #viewer: Viewer | undefined
  /** Of the frame that comes next. */
  #depths: { readonly frame: number; readonly depths: FrameDepths } | undefined
  readonly #viewCost = new ViewCost()
  readonly #places = new WorkerPlaces()
  /** What a ray of a still took, ms of the cluster; undefined: not known. */
  #rayMs: number | undefined
  /** Chains the encoding of pictures, so that they are sent in their order. */
  #encoding: Promise<void> = Promise.resolve()
  readonly #questions: PictureQuestions
  readonly #scenes: SceneTurns<Look, NamedScene>

  /** @param sent pictures that the page was sent before */
  constructor(shown: ShownView, ports: ScenePorts, sent = 0) {
    this.#shown = shown
    this.#ports = ports
    this.#loop = new ViewLoop(this.#loopPorts(), hasFirst(shown.order.quality), sent)
    this.#questions = new PictureQuestions(shown, ports, this.#over.signal)
    this.#scenes = new SceneTurns(
      ({ hand = {} }) => JSON.stringify(askedScene(hand)),
      look => this.#sceneOf(look),
      (look, scene) => this.#loop.look({ ...look, scene }),
      error => {
        if (!this.#over.signal.aborted) ports.say({ type: 'status', text: messageOf(error), isError: true })
      },
    )
  }

  /** @returns the view, with the size of its full picture. @throws ProtocolError for a view that shows nothing */
  checked({ type: _, size, ...wanted }: Extract<FromPage, { type: 'look' }>): Look {
    const fullSize = fitted(size, Math.min(MAX_FRAME_PX, this.#mostPixels))
    this.#cameraOf(wanted.viewpoint, fullSize)
    return { ...wanted, fullSize }
  }

  look(look: Look): void {
    this.#scenes.show(look)
  }

  drawn(picture: number): void {
    this.#loop.drawn(picture)
  }

  /** Whether anybody sees what this page has traced. */
  shown(isShown: boolean): void {
    this.#loop.shown(isShown)
  }

  /** The finished picture is traced again. */
  again(): void {
    this.#loop.again()
  }

  /** Another page moves the view. */
  leave(): void {
    this.#loop.leave()
  }

  /** A picture of another page is what questions are about. */
  watches(newest: NewestPicture): void {
    this.#questions.made(newest)
  }

  pick(x: number, y: number): void {
    void this.#questions.pick(x, y)
  }

  file(format: PictureFormat): void {
    void this.#questions.file(format)
  }

  /** Pictures that the page was sent, of all scenes. */
  get sent(): number {
    return this.#loop.sent
  }

  get silentMs(): number {
    return this.#loop.silentMs
  }

  end(): void {
    this.#loop.end()
    this.#over.abort()
  }

  #sceneOf({ hand = {} }: Look): Promise<NamedScene> {
    const { source, scene } = this.#shown
    const asked = askedScene(hand)
    if (Object.keys(asked).length === 0) return Promise.resolve(scene)
    if (!source) throw new ProtocolError('sun and time are set where sortfirst view runs')
    return source.scene(asked)
  }

  get #mostPixels(): number {
    const [w, h] = this.#shown.order.size
    return w * h
  }

  #loopPorts(): LoopPorts<Picture> {
    const { clock, alarm, sendPicture } = this.#ports
    return {
      trace: shot => this.#trace(shot),
      abandon: () => this.#viewer?.abandon(),
      viewCost: ({ viewpoint, fullSize }) => this.#viewCost.of(this.#cameraOf(viewpoint, fullSize)),
      send: (picture, number) => {
        sendPicture(packPicture({ ...picture.facts, picture: number }, picture.file, picture.depths))
        this.#ports.made(picture)
      },
      now: () => clock.now(),
      alarm,
    }
  }

  #cameraOf(viewpoint: ViewFacts['viewpoint'], [w, h]: Size) {
    const refuse = (problem: string) => new ProtocolError(`view: ${problem}`)
    // As `render` frames its subject with `--fov`.
    return cameraOf(viewpoint, this.#shown.facts.subject, viewpoint.fov, w / h, refuse)
  }

  #trace(shot: Shot): void {
    const { frame, look } = shot
    const camera = this.#cameraOf(look.viewpoint, look.fullSize)
    const viewer = this.#viewer ?? this.#begin()
    const scene = look.scene && look.scene !== this.#shown.scene ? { scene: look.scene } : {}
    const hash = shot.stage === 'full'
    viewer.look({ frame, camera, ...scene, hash, settings: settingsOf(this.#shown.order, shot, this.#rayMs) })
  }

  #begin(): Viewer {
    const { order, scene } = this.#shown
    const viewer = new Viewer()
    this.#viewer = viewer
    const { say, run } = this.#ports
    run(order, scene, viewer, this.#sink(), this.#over.signal)
      .catch(error => {
        if (!this.#over.signal.aborted) say({ type: 'status', text: messageOf(error), isError: true })
      })
      .finally(() => {
        this.#viewer = undefined
        this.#loop.failed()
      })
    return viewer
  }

  #sink(): SessionSink {
    const { say } = this.#ports
    return {
      started: () => say({ type: 'status', text: '', isError: false }),
      status: (text, isEvent) => isEvent || say({ type: 'status', text, isError: false }),
      progress: progress => this.#progress(progress),
      preview: preview => this.#preview(preview),
      depths: (frame, depths) => {
        this.#depths = { frame, depths }
      },
      frame: (report, pixels) => this.#frame(report, pixels),
    }
  }

  #progress({ frame, samples, mostSamples, elapsedMs, least, most }: FrameProgress): void {
    const shot = this.#loop.tracing(frame)
    if (shot?.stage !== 'full') return
    const done = (least + most) / 2
    const left = done > 0 ? { leftMs: Math.round((elapsedMs * (1 - done)) / done) } : {}
    this.#ports.say({ type: 'progress', seq: shot.look.seq, samples, mostSamples, ...left })
  }

  /** Those of a still; the next one is not made before it is encoded. */
  async #preview({ frame, samples, pixels }: FramePreview): Promise<void> {
    const shot = this.#loop.tracing(frame)
    // The finished picture is there already.
    if (shot?.stage !== 'full' || shot.isAgain) return
    const facts = { ...this.#factsOf(shot), stage: 'preview' as const, samples, workers: [] }
    await this.#encode(shot, facts, { pixels, at: this.#ports.clock.now(), depths: undefined })
  }

  #frame(report: FrameReport, pixels: Uint8Array): void {
    const { clock } = this.#ports
    this.#learn(report)
    const shot = this.#loop.finished(report.frame)
    if (!shot) return
    const { order, facts: shown } = this.#shown
    const stage = shot.stage === 'full' ? 'finished' : shot.stage === 'first' ? 'preview' : 'moving'
    const { criticalMs, meanMs, epsilonCpu, epsilonWall, workers } = report
    const epsilon = haveCpuClocks(workers) ? epsilonCpu : epsilonWall
    const depths = this.#depths?.frame === report.frame ? packDepths(this.#depths.depths) : undefined
    const places = this.#places.of(workers)
    const command = commandOf(shown, shot)
    const facts = {
      ...this.#factsOf(shot),
      stage,
      ...(shot.stage === 'full' ? samplesOf(report, order.quality.samples) : { samples: 1 }),
      balance: { criticalMs, meanMs, epsilon },
      workers: workers.map(({ name }) => name),
      ...(report.tracedBy === undefined ? {} : { tracedBy: report.tracedBy }),
      ...(depths ? { depths: depths.facts } : {}),
      // A still need not be traced again to show who traced it.
      ...(shot.look.tiles || stage !== 'moving' ? { tiles: tilesOf(report), places } : {}),
      ...(stage === 'finished' ? { sha256: report.sha256 } : {}),
      ...(stage === 'finished' && command !== undefined ? { command } : {}),
    } as const
    const camera = this.#cameraOf(shot.look.viewpoint, shot.look.fullSize)
    const newest = { shot, camera, report, pixels: stage === 'finished' ? pixels : undefined }
    this.#questions.made(newest)
    const made = { pixels, at: clock.now(), depths: depths?.bytes, newest }
    void this.#encode(shot, facts, made, stage === 'moving' ? report.frameMs : undefined)
  }

  /** Before the next frame is ordered. */
  #learn({ frame, frameMs, size: [w, h] }: FrameReport): void {
    const shot = this.#loop.tracing(frame)
    if (shot?.stage === 'first')
      this.#rayMs = frameMs / (w * h * raysPerPixel(settingsOf(this.#shown.order, shot).quality))
    if (shot?.stage !== 'moving' || this.#depths?.frame !== frame) return
    const { look, size, viewCost } = shot
    this.#viewCost.saw(this.#cameraOf(look.viewpoint, look.fullSize), size, this.#depths.depths, viewCost)
  }

  #factsOf({ look, size, lookAt, orderedAt }: Shot) {
    const traceMs = this.#ports.clock.now() - orderedAt
    return {
      seq: look.seq,
      size,
      fullSize: look.fullSize,
      mostSamples: this.#shown.order.quality.samples,
      times: { waitMs: Math.max(0, orderedAt - lookAt), traceMs, encodeMs: 0 },
    }
  }

  /** @param frameMs how long a coarse frame took */
  #encode(
    shot: Shot,
    facts: Omit<PictureFacts, 'picture'>,
    { pixels, at, depths, newest }: Made,
    frameMs?: number,
  ): Promise<void> {
    const { encode, clock, say } = this.#ports
    this.#encoding = this.#encoding
      .then(async () => {
        const file = await encode(pixels, facts.size, facts.stage)
        const now = clock.now()
        // Without waiting for workers, or for other sessions.
        if (frameMs !== undefined) this.#loop.measured(shot, frameMs + now - at)
        const { viewpoint, hand = {} } = shot.look
        const followed = { viewpoint, hand }
        const times = { ...facts.times, encodeMs: now - at }
        const shared = { followed, ...(newest ? { newest } : {}) }
        this.#loop.ready(shot, { facts: { ...facts, times }, file, depths, ...shared })
      })
      .catch(error => say({ type: 'status', text: messageOf(error), isError: true }))
    return this.#encoding
  }
}

function tilesOf({ tiles, workers }: FrameReport): PictureTile[] {
  const numbers = new Map(workers.map(({ id }, number) => [id, number]))
  return tiles.map(({ rect: { x, y, w, h }, worker, cpuMs }) => [
    x,
    y,
    w,
    h,
    numbers.get(worker) ?? -1,
    Math.round(cpuMs),
  ])
}

/** The line that renders the view: numbers as they are, so that its pixels are the same. Undefined: it cannot be written as a line. */
function commandOf(
  { command, bare }: ViewFacts,
  { look: { viewpoint, fullSize, hand = {} } }: Shot,
): string | undefined {
  const camera = `${cameraWords(viewpoint)} --size ${fullSize.join('x')}`
  if (Object.keys(hand).length === 0) return command === undefined ? undefined : `${command} ${camera}`
  if (!bare) return undefined
  const others = HAND_WORDS.flatMap(key => (hand[key] === undefined ? (bare.words[key] ?? []) : []))
  return [bare.command, ...others, ...handWords(hand), camera].join(' ')
}

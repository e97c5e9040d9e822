/** How a view is moved: by mouse, finger and pen through three's orbit controls, and by keys. Moves can be undone. */
import { PerspectiveCamera, Vector3 } from 'three'
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js'
import { shortPlace } from '../../../shared/frame/short-place.ts'
import type { Vec3 } from '../../../shared/frame/view.ts'
import type { FullViewpoint } from '../../../shared/frame/viewpoint.ts'
import type { PageView } from '../../../shared/page/page-messages.ts'

/** Moves that can be undone. */
const MOST_MOVES = 100
/** Digits of an angle. */
const DIGITS = 6
/** A key turns by so much, radians, slides by such a share of the distance, and comes closer by such a factor. */
const KEY = { turn: Math.PI / 36, slide: 0.05, closer: 0.9 } as const
/** How far the subject is away when all of it is framed, in its radii over the sine of half the field of view. */
const ALL = 1.1

export class Hands {
  readonly #camera = new PerspectiveCamera()
  readonly #controls: OrbitControls
  readonly #moved: () => void
  readonly #before: FullViewpoint[] = []
  #subject: Pick<PageView, 'centre' | 'radius'> = { centre: [0, 0, 0], radius: 1 }
  #up: FullViewpoint['up'] = [0, 1, 0]

  /** @param moved called when the view is another one */
  constructor(stage: HTMLElement, moved: () => void) {
    this.#moved = moved
    this.#controls = this.#controlsOn(stage)
  }

  #controlsOn(stage: HTMLElement): OrbitControls {
    const controls = new OrbitControls(this.#camera, stage)
    controls.zoomToCursor = true
    controls.screenSpacePanning = true
    // Without inertia: what stands still is traced in full at once, and nobody is shown a motion that was not asked for.
    controls.enableDamping = false
    // A click moves nothing, and is nothing to undo.
    let from: FullViewpoint | undefined
    controls.addEventListener('start', () => {
      from = this.viewpoint
    })
    controls.addEventListener('change', () => {
      if (from) this.#keep(from)
      from = undefined
      this.#moved()
    })
    return controls
  }

  /** Whether drags turn the view around its target. */
  set mayOrbit(may: boolean) {
    this.#controls.enabled = may
  }

  get canUndo(): boolean {
    return this.#before.length > 0
  }

  get viewpoint(): FullViewpoint {
    const { position, fov } = this.#camera
    const { target } = this.#controls
    const depth = position.distanceTo(target)
    return {
      eye: short(position, depth),
      target: short(target, depth),
      up: this.#up,
      fov: Number(fov.toPrecision(DIGITS)),
    }
  }

  /** Begins with a view, to which no other one can be gone back. */
  begin(viewpoint: FullViewpoint, subject: Pick<PageView, 'centre' | 'radius'>): void {
    this.#before.length = 0
    this.#subject = subject
    this.#controls.minDistance = subject.radius * 1e-3
    this.#controls.maxDistance = subject.radius * 1e3
    this.show(viewpoint)
  }

  undo(): void {
    const before = this.#before.pop()
    if (before) this.show(before)
  }

  /** The whole subject, from where the view is. */
  frameAll(): void {
    this.remember()
    const { centre, radius } = this.#subject
    const away = (radius * ALL) / Math.sin((this.#camera.fov * Math.PI) / 360)
    const back = this.#camera.position.clone().sub(this.#controls.target).normalize()
    const target = new Vector3(...centre)
    const eye = target.clone().addScaledVector(back, away)
    this.show({ ...this.viewpoint, eye: short(eye, away), target: short(target, away) })
  }

  /** The view turns around this point from now on, which is at its centre. */
  pivot(point: readonly [number, number, number]): void {
    this.remember()
    const target = new Vector3(...point)
    this.show({ ...this.viewpoint, target: short(target, this.#camera.position.distanceTo(target)) })
  }

  /** @returns whether the key moves the view */
  key({ key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
    const step = STEPS[key]
    if (!step) return false
    this.remember()
    const [x, y, closer] = step
    const offset = this.#camera.position.clone().sub(this.#controls.target)
    const up = this.#camera.up.clone().normalize()
    const right = up.clone().cross(offset).normalize()
    if (shiftKey && closer === 0) {
      const slide = right
        .multiplyScalar(x)
        .addScaledVector(up, y)
        .multiplyScalar(offset.length() * KEY.slide)
      this.#controls.target.add(slide)
    } else {
      offset.applyAxisAngle(up, x * KEY.turn)
      const above = offset.angleTo(up) + y * KEY.turn
      if (above > KEY.turn && above < Math.PI - KEY.turn) offset.applyAxisAngle(right, y * KEY.turn)
      offset.multiplyScalar(KEY.closer ** closer)
    }
    this.#camera.position.copy(this.#controls.target).add(offset)
    this.#controls.update()
    return true
  }

  /** What is shown now can be gone back to. */
  remember(): void {
    this.#keep(this.viewpoint)
  }

  /** Goes there; that can be undone. */
  go(viewpoint: FullViewpoint): void {
    this.remember()
    this.show(viewpoint)
  }

  #keep(viewpoint: FullViewpoint): void {
    this.#before.push(viewpoint)
    if (this.#before.length > MOST_MOVES) this.#before.shift()
  }

  /** Without a way back. */
  show({ eye, target, up, fov }: FullViewpoint): void {
    this.#up = up
    this.#camera.up.set(...up)
    this.#camera.fov = fov
    this.#camera.updateProjectionMatrix()
    this.#camera.position.set(...eye)
    this.#controls.target.set(...target)
    this.#controls.update()
    this.#moved()
  }
}

/** Across, up, and closer, by key. */
const STEPS: Readonly<Record<string, readonly [x: number, y: number, closer: number]>> = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, -1, 0],
  ArrowDown: [0, 1, 0],
  '+': [0, 0, 1],
  '=': [0, 0, 1],
  '-': [0, 0, -1],
}

/** @param depth from the eye to its target */
const short = ({ x, y, z }: Vector3, depth: number): Vec3 => shortPlace([x, y, z], depth)

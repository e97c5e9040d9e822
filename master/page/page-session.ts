/** One page that is open: what it may ask for, its place among the pages of its view, and the scene that it sees, which may be followed by another one. */
import { DEFAULT_TONE_MAPPING } from '../../shared/light/tone-mapping.ts'
import { type FromPage, PICTURE_FORMATS } from '../../shared/page/from-page.ts'
import {
  PAGE_VERSION,
  type PageRight,
  type PageRoom,
  type PageView,
  type ToPage,
} from '../../shared/page/page-messages.ts'
import { packPicture } from '../../shared/page/page-pictures.ts'
import { ProtocolError } from '../../shared/protocol/protocol-error.ts'
import { DroppedFile, ELSEWHERE } from './dropped-file.ts'
import type { Place, Room } from './room.ts'
import { type Picture, ScenePictures, type ScenePorts } from './scene-pictures.ts'
import type { ShownView } from './view-source.ts'
import { WatchedPictures } from './watched-pictures.ts'

export interface PageSessionPorts extends Omit<ScenePorts, 'made'> {
  /** A ticket for a tab that is to trace. */
  readonly workTicket: () => string
  /** A ticket for another page of this view. */
  readonly viewTicket: (rights: readonly PageRight[]) => string
  /** The pages of the view. */
  readonly room: Room<Picture>
  /** Has all pages of the view show another scene. @throws OptionError for one that costs too much */
  readonly changeView: (shown: ShownView) => void
}

const NOT_ALLOWED = 'Only a page with a link that sortfirst view itself has printed opens files'

export class PageSession {
  readonly #rights: readonly PageRight[]
  readonly #ports: PageSessionPorts
  #shown: ShownView
  #pictures: ScenePictures
  /** Of a page that watches. */
  readonly #watched: WatchedPictures<Picture>
  readonly #place: Place<Picture>
  readonly #dropped: DroppedFile
  #isShown = true
  #room: PageRoom | undefined

  /** @param scene its number, of those that the view has had */
  constructor(shown: ShownView, rights: readonly PageRight[], ports: PageSessionPorts, scene = 0) {
    this.#shown = shown
    this.#rights = rights
    this.#ports = ports
    this.#pictures = this.#picturesOf(shown)
    this.#sayView(scene)
    this.#dropped = new DroppedFile({
      ...{ say: ports.say, alarm: ports.alarm, show: ports.changeView },
      source: () => this.#shown.source,
    })
    this.#watched = new WatchedPictures({
      send: ({ facts, file, depths, followed }, picture) =>
        ports.sendPicture(packPicture({ ...facts, followed, picture }, file, depths)),
      now: () => ports.clock.now(),
    })
    this.#place = ports.room.enter({
      maySteer: rights.includes('steer'),
      told: room => {
        this.#room = room
        if (this.#drives) this.#watched.drop()
        else this.#pictures.leave()
        this.#showPictures()
        ports.say(room)
      },
      shown: picture => {
        if (picture.newest) this.#pictures.watches(picture.newest)
        this.#watched.take(picture)
      },
    })
  }

  /** @throws ProtocolError for a view that shows nothing */
  hear(said: Exclude<FromPage, { type: 'dashboard' }>): void {
    switch (said.type) {
      case 'look': {
        const look = this.#pictures.checked(said)
        this.#need('steer', 'moves the view')
        // Another page has taken over: it was not told in time.
        if (this.#drives) this.#pictures.look(look)
        return
      }
      case 'drawn':
        this.#watched.drawn(said.picture)
        return this.#pictures.drawn(said.picture)
      case 'shown':
        this.#isShown = said.isShown
        this.#watched.shown(said.isShown)
        return this.#showPictures()
      case 'pick':
        return this.#pictures.pick(said.x, said.y)
      case 'want-file':
        this.#need('steer', 'wants a file')
        return this.#pictures.file(said.format)
      case 'take-over':
        this.#need('steer', 'takes over')
        return void this.#place.take()
      case 'want-link': {
        this.#need('steer', 'wants a link to the view')
        const rights = this.#rights.filter(right => right === 'watch' || (right === 'steer' && said.maySteer))
        return this.#ports.say({ type: 'link', ticket: this.#ports.viewTicket(rights) })
      }
      case 'want-join':
        return this.#ports.say(joinAnswer(this.#rights, this.#ports))
      case 'drop-file':
        this.#need('operate', 'sends a scene file')
        return this.#dropped.begin(said)
      case 'drop-nothing':
        return this.#dropped.end()
    }
  }

  /** A piece of a scene file. @throws ProtocolError */
  piece(bytes: Uint8Array): void {
    this.#need('operate', 'sends a scene file')
    this.#dropped.take(bytes)
  }

  /** The view has another scene. */
  changed(shown: ShownView, scene: number): void {
    const { sent } = this.#pictures
    this.#pictures.end()
    this.#watched.drop()
    this.#shown = shown
    this.#pictures = this.#picturesOf(shown, sent)
    this.#showPictures()
    this.#sayView(scene)
  }

  /** Frames have another strategy: a picture that stands finished is traced again, and has the same bytes. */
  again(): void {
    this.#pictures.again()
  }

  /** For how long the page has not drawn what was sent to it, ms. */
  get silentMs(): number {
    return Math.max(this.#pictures.silentMs, this.#watched.silentMs)
  }

  end(): void {
    this.#place.leave()
    this.#pictures.end()
    this.#dropped.end()
  }

  #picturesOf(shown: ShownView, sent?: number): ScenePictures {
    const { room: _, workTicket: __, viewTicket: ___, changeView: ____, ...ports } = this.#ports
    return new ScenePictures(shown, { ...ports, made: picture => this.#place.show(picture) }, sent)
  }

  #sayView(scene: number): void {
    const { order, facts, source } = this.#shown
    this.#ports.say({
      type: 'view',
      version: PAGE_VERSION,
      sceneName: order.sceneName,
      triangles: facts.triangles,
      viewpoint: facts.viewpoint,
      radius: Math.max(facts.subject.radius, facts.subject.halfHeight),
      centre: facts.subject.centre,
      mostPixels: order.size[0] * order.size[1],
      samples: order.quality.samples,
      rights: this.#rights,
      light: {
        exposure: order.exposure,
        toneMapping: order.toneMapping ?? DEFAULT_TONE_MAPPING,
        ...source?.light,
      },
      files: source?.file && this.#rights.includes('steer') ? PICTURE_FORMATS : [],
      scene,
      ...this.#refusal,
    })
  }

  /** Why it takes no scene files. */
  get #refusal(): Pick<PageView, 'noSceneFiles'> {
    if (!this.#shown.source?.receive) return { noSceneFiles: ELSEWHERE }
    return this.#rights.includes('operate') ? {} : { noSceneFiles: NOT_ALLOWED }
  }

  get #drives(): boolean {
    return this.#room !== undefined && this.#room.you === this.#room.driver
  }

  /** Who watches sees the picture of a page that is hidden finished. */
  #showPictures(): void {
    this.#pictures.shown(this.#drives && (this.#isShown || this.#room!.pages > 1))
  }

  #need(right: PageRight, what: string): void {
    if (!this.#rights.includes(right)) throw new ProtocolError(`a page that may not ${right} ${what}`)
  }
}

/** A link for a tab that is to trace. @throws ProtocolError if the page may not give one */
export function joinAnswer(
  rights: readonly PageRight[],
  { workTicket }: Pick<PageSessionPorts, 'workTicket'>,
): Extract<ToPage, { type: 'join' }> {
  if (!rights.includes('operate')) throw new ProtocolError('a page that may not operate wants a link for a tab')
  return { type: 'join', ticket: workTicket() }
}

/** Puts the dashboard beside the picture, with a button and a key (D) that open it. */
import type { FromPage } from '../../../../shared/page/from-page.ts'
import { Dashboard } from './dashboard.ts'
import { html } from './elements.ts'

type Ask = Extract<FromPage, { type: 'dashboard' }>['ask']

export interface MountedDashboard {
  hear: Dashboard['hear']
  /** A connection begins, or begins again. */
  connected(): void
  toggle(): void
}

export function mountDashboard(
  main: HTMLElement,
  stage: HTMLElement,
  nav: HTMLElement,
  send: (ask: Ask) => void,
): MountedDashboard {
  const dashboard = new Dashboard({
    want: (run, place) => send({ for: 'frame', run, place }),
    act: (act, on) => send({ for: 'act', act, on }),
    live: {
      choose: run => send({ for: 'run', ...(run === undefined ? {} : { run }) }),
      wantLine: (run, from) => send({ for: 'line', run, from }),
      wantGuesses: run => send({ for: 'what-if', ...(run === undefined ? {} : { run }) }),
      switchTo: (run, strategy) => send({ for: 'strategy', run, strategy }),
    },
  })
  const aside = html('aside', { id: 'dashboard', hidden: true }, dashboard.root)
  stage.after(aside)
  stage.append(dashboard.map.root)
  const button = html(
    'button',
    {
      id: 'show-dashboard',
      type: 'button',
      title: 'Dashboard (D)',
      'aria-pressed': 'false',
      'aria-controls': 'dashboard',
    },
    'Dashboard',
  )
  nav.insertBefore(button, nav.querySelector('#show-keys'))
  const isOpen = () => !aside.hidden
  const watch = () => send({ for: 'news', isWatched: isOpen() && document.visibilityState === 'visible' })
  const toggle = () => {
    aside.hidden = isOpen()
    main.classList.toggle('has-dashboard', isOpen())
    button.ariaPressed = `${isOpen()}`
    dashboard.isMapShown = isOpen()
    if (!isOpen()) dashboard.map.hide()
    watch()
  }
  button.addEventListener('click', toggle)
  document.addEventListener('visibilitychange', watch)
  stage.addEventListener('pointermove', event => {
    if (!isOpen() || event.buttons > 0) return
    dashboard.pointAt(placeIn(stage, event))
  })
  stage.addEventListener('pointerleave', () => isOpen() && dashboard.pointAt(undefined))
  return {
    hear: said => dashboard.hear(said),
    connected() {
      dashboard.forget()
      if (isOpen()) watch()
    },
    toggle,
  }
}

/** Of a place on the stage, where it is in the picture, which keeps its proportions. */
function placeIn(stage: HTMLElement, { clientX, clientY }: MouseEvent): readonly [number, number] | undefined {
  const picture = stage.querySelector('canvas')
  if (!picture) return undefined
  const { left, top, width, height } = stage.getBoundingClientRect()
  const scale = Math.min(width / picture.width, height / picture.height)
  const x = (clientX - left - (width - picture.width * scale) / 2) / (picture.width * scale)
  const y = (clientY - top - (height - picture.height * scale) / 2) / (picture.height * scale)
  return x >= 0 && x < 1 && y >= 0 && y < 1 ? [x, y] : undefined
}

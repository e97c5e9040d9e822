import { AmbientLight, Color, DirectionalLight, Group, HemisphereLight, PointLight, Scene } from 'three'
import { describe, expect, it } from 'vitest'
import { addDaylight, MORNING } from '../../scenes/daylight.ts'
import { mapLighting } from '../../scenes/map-light.ts'

function lightingOf(build: (scene: Scene) => void) {
  const scene = new Scene()
  build(scene)
  scene.updateMatrixWorld(true)
  const problems: string[] = []
  return { ...mapLighting(scene, problems), problems }
}

describe('three lights', () => {
  it('daylight comes back as it was meant', () => {
    const { sun, sky, problems } = lightingOf(scene => addDaylight(scene))
    expect(sky).toEqual({ zenith: MORNING.zenith, horizon: MORNING.horizon, ground: MORNING.ground })
    expect(sun.irradiance).toEqual(MORNING.sun)
    expect(Math.hypot(...sun.direction)).toBeCloseTo(1, 12)
    expect(Math.asin(sun.direction[1])).toBeCloseTo(MORNING.sunElevationTurns * 2 * Math.PI, 12)
    expect(problems).toEqual([])
  })

  it('a sun points from its target to itself, wherever its parents are', () => {
    const { sun } = lightingOf(scene => {
      const light = new DirectionalLight(new Color(1, 0.5, 0), 4)
      light.position.set(0, 0, 2)
      light.target.position.set(10, 3, 0)
      const parent = new Group()
      parent.position.set(10, 5, -2)
      scene.add(parent.add(light))
    })
    expect(sun.direction).toEqual([0, 1, 0])
    expect(sun.irradiance).toEqual([4, 2, 0])
  })

  it('the horizon is the mean of zenith and ground unless the scene says otherwise', () => {
    const hemisphere = () => new HemisphereLight(new Color(1, 1, 1), new Color(0, 0, 0), 2 * Math.PI)
    expect(lightingOf(scene => scene.add(hemisphere())).sky).toEqual({
      zenith: [2, 2, 2],
      horizon: [1, 1, 1],
      ground: [0, 0, 0],
    })
    const { sky } = lightingOf(scene => {
      scene.add(hemisphere())
      scene.userData.horizon = new Color(1, 0, 0)
    })
    expect(sky.horizon).toEqual([2, 0, 0])
  })

  it('ambient light or a plain background is a sky without directions', () => {
    const { sky } = lightingOf(scene => scene.add(new AmbientLight(new Color(1, 0, 0), Math.PI)))
    expect(sky).toEqual({ zenith: [1, 0, 0], horizon: [1, 0, 0], ground: [1, 0, 0] })
    const plain = lightingOf(scene => {
      scene.background = new Color(0.1, 0.2, 0.3)
    })
    expect(plain.sky.zenith).toEqual([0.1, 0.2, 0.3])
    expect(plain.sun.irradiance).toEqual([0, 0, 0])
  })

  it('says what finds no place', () => {
    const { problems } = lightingOf(scene => {
      const lamp = new PointLight()
      lamp.name = 'lamp'
      const hidden = new DirectionalLight()
      hidden.visible = false
      scene.add(new DirectionalLight(), new DirectionalLight(), new AmbientLight(), lamp, hidden)
    })
    expect(problems).toEqual([
      "light 'DirectionalLight' was ignored: only one sun and one sky are supported",
      "light 'lamp' was ignored: only one sun and one sky are supported",
    ])
  })

  it('a scene without light is not left in the dark', () => {
    const { sky, problems } = lightingOf(() => {})
    expect(sky.zenith).toEqual([1, 1, 1])
    expect(problems).toEqual(['the scene has no light: a plain white sky was added'])
  })

  it('light is never negative, infinite or without direction', () => {
    const { sun, problems } = lightingOf(scene => {
      const light = new DirectionalLight(new Color(-1, Number.POSITIVE_INFINITY, Number.NaN), 1)
      light.position.set(0, 0, 0)
      scene.add(light)
    })
    expect(sun).toEqual({ direction: [0, 1, 0], irradiance: [0, 1e6, 0] })
    expect(problems).toEqual(["light 'DirectionalLight' is at its own target: it shines from above"])
  })
})

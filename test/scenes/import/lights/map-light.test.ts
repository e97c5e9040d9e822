import {
  AmbientLight,
  Color,
  DataTexture,
  DirectionalLight,
  EquirectangularReflectionMapping,
  FloatType,
  Group,
  HalfFloatType,
  HemisphereLight,
  type Light,
  LightProbe,
  PointLight,
  RectAreaLight,
  Scene,
  SpotLight,
  Texture,
} from 'three'
import { describe, expect, it } from 'vitest'
import { SceneLightError } from '../../../../scenes/errors.ts'
import { addDaylight, MORNING } from '../../../../scenes/import/lights/daylight.ts'
import { mapLighting } from '../../../../scenes/import/lights/map-light.ts'
import type { Vec3 } from '../../../../shared/frame/view.ts'

function lightingOf(build: (scene: Scene) => void, centre: Vec3 = [0, 0, 0]) {
  const scene = new Scene()
  build(scene)
  scene.updateMatrixWorld(true)
  const problems: string[] = []
  return { ...mapLighting(scene, centre, problems), problems }
}
const lightsOf = (...lights: Light[]) =>
  lightingOf(scene => {
    for (const light of lights) scene.add(light)
  })
const plain = (color: readonly number[]) => ({ kind: 'sky', zenith: color, horizon: color, ground: color })

describe('three lights', () => {
  it('daylight comes back as it was meant', () => {
    const { lights, environment, problems } = lightingOf(scene => addDaylight(scene))
    const { zenith, horizon, ground } = MORNING
    expect(environment).toEqual({ kind: 'sky', zenith, horizon, ground })
    const [sun] = lights
    expect(lights).toHaveLength(1)
    if (sun?.kind !== 'distant') throw new Error('expected a sun')
    expect(sun.irradiance).toEqual(MORNING.sun)
    expect(sun.angle).toBeCloseTo(0.53 / 360, 12)
    expect(Math.hypot(...sun.direction)).toBeCloseTo(1, 12)
    expect(Math.asin(sun.direction[1])).toBeCloseTo(MORNING.sunElevationTurns * 2 * Math.PI, 12)
    expect(problems).toEqual([])
  })

  it('a sun points from its target to itself, wherever its parents are', () => {
    const { lights } = lightingOf(scene => {
      const light = new DirectionalLight(new Color(1, 0.5, 0), 4)
      light.userData.angle = 0.54
      light.position.set(0, 0, 2)
      light.target.position.set(10, 3, 0)
      const parent = new Group()
      parent.position.set(10, 5, -2)
      scene.add(parent.add(light))
    })
    expect(lights).toEqual([{ kind: 'distant', direction: [0, 1, 0], irradiance: [4, 2, 0], angle: 0.0015 }])
  })

  it('lamps are where they are, relative to the centre, in candela', () => {
    const { lights, problems } = lightingOf(
      scene => {
        const point = new PointLight(new Color(1, 0.5, 0.25), 8)
        point.position.set(1, 2, 3)
        point.userData.radius = 0.1
        const spot = new SpotLight(new Color(1, 1, 1), 3, 0, Math.PI / 3, 0.5)
        spot.position.set(0, 10, 0)
        scene.add(point, spot)
      },
      [1, 0, 0],
    )
    expect(lights).toEqual([
      { kind: 'point', position: [0, 2, 3], intensity: [8, 4, 2], radius: 0.1 },
      {
        kind: 'spot',
        position: [-1, 10, 0],
        direction: [-0, -1, -0],
        intensity: [3, 3, 3],
        radius: 0,
        innerCosine: expect.closeTo(Math.cos(Math.PI / 6), 12),
        outerCosine: expect.closeTo(0.5, 12),
      },
    ])
    expect(problems).toEqual([])
  })

  it.each([1, -1])('a rectangle shines along its -z axis, mirrored or not (%d)', mirror => {
    const { lights } = lightingOf(scene => {
      const light = new RectAreaLight(new Color(1, 1, 1), 5, 4, 2)
      light.position.set(0, 0, 3)
      light.lookAt(0, 0, 0)
      const parent = new Group()
      parent.scale.x = mirror
      scene.add(parent.add(light))
    })
    const [light] = lights
    if (light?.kind !== 'rectangle') throw new Error('expected a rectangle')
    const { across: a, up: b, position, radiance } = light
    const normal = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    expect(normal).toEqual([expect.closeTo(0, 12), expect.closeTo(0, 12), expect.closeTo(-2, 12)])
    expect([Math.hypot(...a), Math.hypot(...b)]).toEqual([expect.closeTo(2, 12), expect.closeTo(1, 12)])
    expect([position, radiance]).toEqual([
      [0, 0, 3],
      [5, 5, 5],
    ])
  })

  it('the horizon is the mean of zenith and ground unless the scene says otherwise', () => {
    const hemisphere = () => new HemisphereLight(new Color(1, 1, 1), new Color(0, 0, 0), 2 * Math.PI)
    expect(lightsOf(hemisphere()).environment).toEqual({
      kind: 'sky',
      zenith: [2, 2, 2],
      horizon: [1, 1, 1],
      ground: [0, 0, 0],
    })
    const { environment } = lightingOf(scene => {
      scene.add(hemisphere())
      scene.userData.horizon = new Color(1, 0, 0)
    })
    expect(environment).toMatchObject({ horizon: [2, 0, 0] })
  })

  it('ambient light or a plain background is a sky without directions', () => {
    expect(lightsOf(new AmbientLight(new Color(1, 0, 0), Math.PI)).environment).toEqual(plain([1, 0, 0]))
    const { environment, lights } = lightingOf(scene => {
      scene.background = new Color(0.1, 0.2, 0.3)
    })
    expect(environment).toEqual(plain([0.1, 0.2, 0.3]))
    expect(lights).toEqual([])
  })

  it('says what finds no place', () => {
    const lamp = new PointLight(0xffffff, 1, 7, 1)
    lamp.name = 'lamp'
    const hidden = new DirectionalLight()
    hidden.visible = false
    const { problems } = lightsOf(
      new DirectionalLight(),
      new AmbientLight(),
      new AmbientLight(),
      lamp,
      hidden,
      new LightProbe(),
    )
    expect(problems).toEqual([
      "light 'AmbientLight' was ignored: only one sky is supported",
      "light 'lamp' has a decay of 1: its light falls with the square of the distance",
      "light 'lamp' ends at a distance of 7: it is traced without end",
      "light 'LightProbe' was ignored: lights of this type are not supported",
    ])
  })

  it('a scene without light is not left in the dark', () => {
    const { environment, problems } = lightsOf()
    expect(environment).toEqual(plain([1, 1, 1]))
    expect(problems).toEqual(['the scene has no light: a plain white sky was added'])
  })

  it('a light at its own target shines from above', () => {
    const sun = new DirectionalLight()
    sun.position.set(0, 0, 0)
    const { lights, problems } = lightsOf(sun)
    expect(lights).toMatchObject([{ direction: [0, 1, 0] }])
    expect(problems).toEqual(["light 'DirectionalLight' is at its own target: it shines from above"])
  })

  const withUserData = (key: string, value: unknown) => {
    const light = key === 'angle' ? new DirectionalLight() : new PointLight()
    light.userData[key] = value
    return light
  }
  const unknownFalloff = new SpotLight()
  unknownFalloff.userData.falloff = 'steep'
  const away = new PointLight()
  away.position.x = Number.NaN
  it.each<[string, Light, string]>([
    ['negative', new PointLight(0xffffff, -1), 'got intensity -1 of colour 1, 1, 1'],
    ['infinite', new SpotLight(0xffffff, Number.POSITIVE_INFINITY), 'got intensity Infinity'],
    ['no number', new AmbientLight(new Color(Number.NaN, 0, 0)), 'of colour NaN, 0, 0'],
    ['beyond all measure', new DirectionalLight(0xffffff, 1e13), 'expected light from 0 to 1000000000000'],
    ['nowhere', away, 'expected a position within 1000000000000, got NaN'],
    ['of a cone that is none', new SpotLight(0xffffff, 1, 0, 4), 'expected a cone of angle 0 to π'],
    ['of a negative radius', withUserData('radius', -1), 'expected userData.radius from 0 to 1000000000000, got -1'],
    ['of an unknown falloff', unknownFalloff, 'expected userData.falloff smooth or squared, got steep'],
    ['of an angle in words', withUserData('angle', 'wide'), 'expected userData.angle from 0 to 180, got wide'],
  ])('one that is %s is refused by name', (_, light, words) => {
    light.name = 'lamp'
    expect(() => lightsOf(light)).toThrow(SceneLightError)
    expect(() => lightsOf(light)).toThrow("light 'lamp': ")
    expect(() => lightsOf(light)).toThrow(words)
  })
})

describe('an environment texture', () => {
  const textureOf = (values: readonly number[], flipY: boolean) => {
    const texture = new DataTexture(Float32Array.from(values), 1, 2)
    texture.type = FloatType
    texture.mapping = EquirectangularReflectionMapping
    texture.flipY = flipY
    return texture
  }
  const rows = [1, 2, 3, 1, 4, 5, 6, 1]

  it.each([true, false])('has its rows from the top, flipped or not (%s)', flipY => {
    const { environment, lights, problems } = lightingOf(scene => {
      scene.background = textureOf(rows, flipY)
      scene.backgroundIntensity = 2
      scene.backgroundRotation.y = Math.PI / 2
      scene.add(new AmbientLight(), new DirectionalLight())
    })
    const texels = flipY ? [1, 2, 3, 4, 5, 6] : [4, 5, 6, 1, 2, 3]
    const map = { kind: 'map', width: 1, height: 2, texels: Float32Array.from(texels), intensity: 2, rotation: 0.25 }
    expect(environment).toEqual(map)
    expect(lights).toHaveLength(1)
    expect(problems).toEqual(["light 'AmbientLight' was ignored: the environment map is the sky"])
  })

  it('may be of half floats, and light the scene only', () => {
    const texture = new DataTexture(Uint16Array.of(0x3c00, 0x4000, 0xbc00, 0x3c00), 1, 1)
    texture.type = HalfFloatType
    texture.mapping = EquirectangularReflectionMapping
    const { environment } = lightingOf(scene => {
      scene.environment = texture
    })
    expect(environment).toMatchObject({ kind: 'map', texels: Float32Array.of(1, 2, 0) })
  })

  it('of another kind is reported, one that is not finite refused', () => {
    const { problems } = lightingOf(scene => {
      scene.background = new Texture()
    })
    expect(problems[0]).toMatch(/^the scene's background was ignored: expected an equirectangular DataTexture/)
    const bad = textureOf([1, 1, 1, 1, 1, Number.NaN, 1, 1], true)
    expect(() =>
      lightingOf(scene => {
        scene.environment = bad
      }),
    ).toThrow("the scene's environment: column 0 of row 1 is not finite")
  })
})

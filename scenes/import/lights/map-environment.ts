/**
 * What surrounds a THREE.Scene: its `background`, or else its `environment`, if that is an equirectangular texture; otherwise its
 * sky light; otherwise a plain background.
 */
import {
  type AmbientLight,
  Color,
  DataTexture,
  DataUtils,
  EquirectangularReflectionMapping,
  FloatType,
  HalfFloatType,
  HemisphereLight,
  RedFormat,
  RGBAFormat,
  type Scene,
  Texture,
} from 'three'
import type { Vec3 } from '../../../shared/frame/view.ts'
import type { Environment, EnvironmentMap } from '../../../shared/scene/environment.ts'
import { MAX_ENVIRONMENT, MAX_RADIANCE } from '../../../shared/scene/look-schema.ts'
import { SceneLightError } from '../../errors.ts'

type Texels = Omit<EnvironmentMap, 'intensity' | 'rotation'>
/** Maps that were converted before, kept from one import of a scene to the next. */
export type EnvironmentMemo = WeakMap<
  Texture,
  { readonly version: number; readonly data: unknown; readonly texels: Texels }
>

/**
 * The intensity of a three sky light is irradiance, so its radiance is that over π. The horizon is the mean of
 * zenith and ground unless `scene.userData.horizon` (a Color, on the same scale) says otherwise.
 *
 * @throws SceneLightError for a map with texels that are not numbers
 */
export function mapEnvironment(
  scene: Scene,
  skyLight: HemisphereLight | AmbientLight | undefined,
  problems: string[],
  memo: EnvironmentMemo = new WeakMap(),
): { readonly environment?: Environment; readonly isMap: boolean } {
  const map = mapOf(scene, problems, memo)
  const hidden = (by: string) => {
    if (scene.background instanceof Color)
      problems.push(`the scene's background colour is not shown: ${by} surrounds it`)
  }
  if (map) {
    hidden('its environment')
    return { environment: map, isMap: true }
  }
  if (skyLight) {
    hidden(`light '${skyLight.name || skyLight.type}'`)
    return { environment: skyOf(skyLight, scene), isMap: false }
  }
  if (!(scene.background instanceof Color)) return { isMap: false }
  const plain = color(scene.background, 1)
  return { environment: { kind: 'sky', zenith: plain, horizon: plain, ground: plain }, isMap: false }
}

function mapOf(scene: Scene, problems: string[], memo: EnvironmentMemo): EnvironmentMap | undefined {
  for (const key of ['background', 'environment'] as const) {
    const texture = scene[key]
    if (!(texture instanceof Texture)) continue
    if (!isSupported(texture)) {
      problems.push(
        `the scene's ${key} was ignored: expected an equirectangular DataTexture of floats, ${MAX_ENVIRONMENT.join(' × ')} at most`,
      )
      continue
    }
    const [intensity, rotation] =
      key === 'background'
        ? [scene.backgroundIntensity, scene.backgroundRotation]
        : [scene.environmentIntensity, scene.environmentRotation]
    if (rotation.x !== 0 || rotation.z !== 0) problems.push(`the scene's ${key} is turned around the y axis only`)
    if (!(intensity >= 0 && intensity <= MAX_INTENSITY))
      throw new SceneLightError(
        `the scene's ${key}`,
        `expected an intensity from 0 to ${MAX_INTENSITY}, got ${intensity}`,
      )
    if (key === 'background' && scene.environment && scene.environment !== texture)
      problems.push("the scene's environment is not used: its background lights it")
    const turns = rotation.y / (2 * Math.PI)
    return { ...keptTexels(texture, key, memo), intensity, rotation: Number.isFinite(turns) ? turns % 1 : 0 }
  }
  return undefined
}

const MAX_INTENSITY = 1e6

function isSupported(texture: Texture): texture is DataTexture {
  if (!(texture instanceof DataTexture) || texture.mapping !== EquirectangularReflectionMapping) return false
  const { data, width, height } = texture.image
  const isFloat = data instanceof Float32Array && texture.type === FloatType
  const isHalf = data instanceof Uint16Array && texture.type === HalfFloatType
  const channels = channelsOf(texture)
  const fits = width >= 1 && height >= 1 && width <= MAX_ENVIRONMENT[0] && height <= MAX_ENVIRONMENT[1]
  return (isFloat || isHalf) && channels > 0 && fits && data.length >= width * height * channels
}

const channelsOf = ({ format }: DataTexture): number => (format === RGBAFormat ? 4 : format === RedFormat ? 1 : 0)

function keptTexels(texture: DataTexture, key: string, memo: EnvironmentMemo): Texels {
  const known = memo.get(texture)
  const { version } = texture.source
  if (known && known.version === version && known.data === texture.image.data) return known.texels
  const texels = texelsOf(texture, key)
  memo.set(texture, { version, data: texture.image.data, texels })
  return texels
}

/** By rows from the top: the first row of a texture that is not flipped is the lowest. */
function texelsOf(texture: DataTexture, key: string): Texels {
  const { data, width, height } = texture.image
  const channels = channelsOf(texture)
  const texels = new Float32Array(width * height * 3)
  for (let row = 0, to = 0; row < height; row++) {
    let from = (texture.flipY ? row : height - 1 - row) * width * channels
    for (let column = 0; column < width; column++, from += channels)
      for (let channel = 0; channel < 3; channel++) {
        const stored = (data as Float32Array | Uint16Array)[from + Math.min(channel, channels - 1)]!
        const value = texture.type === HalfFloatType ? DataUtils.fromHalfFloat(stored) : stored
        if (value - value !== 0)
          throw new SceneLightError(`the scene's ${key}`, `column ${column} of row ${row} is not finite`)
        // Filters that sharpen leave slightly negative texels beside bright ones.
        texels[to++] = Math.min(Math.max(value, 0), MAX_RADIANCE)
      }
  }
  return { kind: 'map', width, height, texels }
}

function skyOf(light: HemisphereLight | AmbientLight, scene: Scene): Environment {
  const scale = light.intensity / Math.PI
  const zenith = color(light.color, scale)
  const ground = light instanceof HemisphereLight ? color(light.groundColor, scale) : zenith
  const horizon: unknown = scene.userData.horizon
  return {
    kind: 'sky',
    zenith,
    horizon: horizon instanceof Color ? color(horizon, scale) : mean(zenith, ground),
    ground,
  }
}

const mean = (a: Vec3, b: Vec3): Vec3 => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]

/** Never negative, never infinite: every pixel is multiplied by light. */
const color = ({ r, g, b }: Color, scale: number): Vec3 => [channel(r * scale), channel(g * scale), channel(b * scale)]

const channel = (value: number): number => (value > 0 ? Math.min(value, MAX_RADIANCE) : 0)

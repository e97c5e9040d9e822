/**
 * The script of the browser's page: a glTF file at some times, drawn by three's rasteriser in the plain colours of its materials. The
 * picture is drawn several times as wide and high, tile by tile, and averaged in linear light.
 */
import {
  FloatType,
  LinearSRGBColorSpace,
  NearestFilter,
  NoToneMapping,
  type Object3D,
  REVISION,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three'
import type { Size } from '../../../../../shared/frame/rect.ts'
import type { Camera } from '../../../../../shared/frame/view.ts'
import { type CameraFor, cameraFor, narrow } from './camera-for.ts'
import { loadGltf } from './load-gltf.ts'
import { motionOf } from './motion.ts'
import { UnlitMeshes } from './unlit.ts'

export interface RasterJob {
  /** Address of the file. */
  readonly url: string
  readonly size: Size
  /** Samples per pixel along each axis. */
  readonly supersampling: number
  /** Absent: the file's first camera. */
  readonly camera?: Camera
  /** At which its first animation is shown, s. A file without animations is always the same. */
  readonly times: readonly number[]
}

/** Of the pixels of a picture, row by row from the top, in base64. */
export interface RasterAnswer {
  /** Linear red, green and blue, each times the coverage, and the coverage, as 32-bit floats. */
  readonly values: string
  /** A byte each: 1 where a surface shows through which others shine. */
  readonly blended: string
}

const CHANNELS = 4

/** A picture for each time. */
async function rasterise({ url, size, supersampling, camera: asked, times }: RasterJob): Promise<RasterAnswer[]> {
  const renderer = new WebGLRenderer()
  renderer.toneMapping = NoToneMapping
  renderer.outputColorSpace = LinearSRGBColorSpace
  renderer.setClearColor(0, 0)
  // Blending into floats is an extension, which is on once it has been asked for.
  renderer.extensions.get('EXT_float_blend')
  const gltf = await loadGltf(url, renderer)
  const { scene } = gltf
  const setTime = await motionOf(gltf)
  const meshes = new UnlitMeshes(scene, renderer.capabilities.getMaxAnisotropy())
  return times.map(seconds => {
    setTime(seconds)
    scene.updateMatrixWorld(true)
    const camera = cameraFor(scene, size, asked)
    const widen = narrow(camera, scene)
    const draw = () => drawPicture(renderer, scene, camera, size, supersampling)
    meshes.showUnlit()
    const values = draw()
    meshes.showBlended()
    const shares = draw()
    widen()
    const blended = Uint8Array.from({ length: size[0] * size[1] }, (_, pixel) => Number(shares[pixel * CHANNELS]! > 0))
    return { values: base64(new Uint8Array(values.buffer)), blended: base64(blended) }
  })
}

/** Samples of a tile along each axis, at most: every device has textures of this size. */
const TILE = 2048

/** Means over the samples of each pixel; rows from the top. */
function drawPicture(
  renderer: WebGLRenderer,
  scene: Object3D,
  camera: CameraFor,
  [width, height]: Size,
  supersampling: number,
): Float32Array {
  const side = Math.floor(TILE / supersampling)
  const values = new Float32Array(width * height * CHANNELS)
  for (let y = 0; y < height; y += side)
    for (let x = 0; x < width; x += side) {
      const [w, h] = [Math.min(side, width - x), Math.min(side, height - y)]
      const [left, top, across, down] = [x, y, w, h].map(each => each * supersampling) as [
        number,
        number,
        number,
        number,
      ]
      camera.setViewOffset(width * supersampling, height * supersampling, left, top, across, down)
      const samples = drawTile(renderer, scene, camera, [across, down])
      for (let row = 0; row < down; row++) {
        // Rows of samples are from the bottom.
        const line = (y + h - 1 - Math.floor(row / supersampling)) * width + x
        for (let column = 0; column < across; column++)
          addSample(samples, row * across + column, values, line + Math.floor(column / supersampling))
      }
    }
  const share = 1 / supersampling ** 2
  return values.map(sum => sum * share)
}

function addSample(samples: Float32Array, sample: number, values: Float32Array, pixel: number): void {
  for (let channel = 0; channel < CHANNELS; channel++)
    values[pixel * CHANNELS + channel]! += samples[sample * CHANNELS + channel]!
}

/** Rows from the bottom. */
function drawTile(renderer: WebGLRenderer, scene: Object3D, camera: CameraFor, [width, height]: Size): Float32Array {
  const target = new WebGLRenderTarget(width, height, {
    type: FloatType,
    colorSpace: LinearSRGBColorSpace,
    generateMipmaps: false,
    minFilter: NearestFilter,
    magFilter: NearestFilter,
  })
  renderer.setRenderTarget(target)
  renderer.render(scene, camera)
  const values = new Float32Array(width * height * CHANNELS)
  renderer.readRenderTargetPixels(target, 0, 0, width, height, values)
  target.dispose()
  return values
}

/** Bytes that a call can be given as arguments. */
const CHUNK = 0x8000

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

Object.assign(globalThis, { rasterise, revision: REVISION })

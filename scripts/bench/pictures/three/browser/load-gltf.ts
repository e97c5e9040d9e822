/** A glTF file by three's own loader, with the decoders that come with three. */
import type { WebGLRenderer } from 'three'
import { MeshoptDecoder } from 'three/addons/libs/meshopt_decoder.module.js'
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js'
import { type GLTF, GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js'
import { hideNodes } from './pointers.ts'

const DECODERS = '/three/examples/jsm/libs/'

export async function loadGltf(url: string, renderer: WebGLRenderer): Promise<GLTF> {
  const gltf = await new GLTFLoader()
    .setDRACOLoader(new DRACOLoader().setDecoderPath(`${DECODERS}draco/gltf/`))
    .setKTX2Loader(new KTX2Loader().setTranscoderPath(`${DECODERS}basis/`).detectSupport(renderer))
    .setMeshoptDecoder(MeshoptDecoder)
    .loadAsync(url)
  hideNodes(gltf)
  return gltf
}

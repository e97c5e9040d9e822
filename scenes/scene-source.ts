/**
 * What a scene is before it is packed: a THREE.Scene, and how it wants to be looked at. Built-in scenes and files both
 * become a LoadedScene, so that whatever comes after (flattening, cameras, the cluster) knows one kind of scene.
 */
import type { Box3, Object3D, Scene } from 'three'
import type { CameraPathName, Framing } from './camera-paths.ts'

export interface LoadedScene {
  readonly name: string
  /** Geometry, materials and lights; y is up. `flatten` reads it and changes nothing but its world matrices. */
  readonly scene: Scene
  /** What cameras look at, world space, scene units: the thing of interest, never the floor under it. */
  readonly subject: Box3
  /** What was put under a file's mesh, which nobody asked for. */
  readonly floor?: Object3D
  /** The path used when none is asked for. */
  readonly defaultCamera: CameraPathName
  readonly framing: Framing
  /** Linear scale before tone mapping, above 0. */
  readonly exposure: number
  /** Paths of the files that it was read from, and of those that were looked for beside them and are not there. */
  readonly files: readonly string[]
  /** What the scene's file asked for and was left out, one sentence each; empty when all is shown. */
  readonly problems: readonly string[]
}

/** An entry of the registry of built-in scenes. */
export interface SceneSource {
  /** Name on the command line, and of the file that builds it. */
  readonly name: string
  /** One line for `sortfirst scenes`. */
  readonly description: string
  /** Whether it stands on a group named 'floor' that can be left out. */
  readonly floor: boolean
  /** Builds the scene afresh; equal in every call. */
  load(): Promise<LoadedScene>
}

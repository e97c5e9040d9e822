/**
 * A scene before it is packed: a THREE.Scene and how to view it. Built-in scenes and files both become a LoadedScene,
 * so everything downstream (importing, cameras, the cluster) handles one kind of scene.
 */
import type { Box3, Object3D, Scene } from 'three'
import type { SceneCamera } from '../shared/scene/description.ts'
import type { Framing } from './cameras/camera-paths.ts'
import type { CameraPathName } from './cameras/camera-words.ts'

export interface LoadedScene {
  readonly name: string
  /** Geometry, materials and lights; y is up. `importThree` reads it and changes only its world matrices. */
  readonly scene: Scene
  /** What cameras look at, world space, scene units: the object of interest, never the floor under it. */
  readonly subject: Box3
  /** The floor added under a file's mesh. */
  readonly floor?: Object3D
  /** Its own cameras, world space; the first is used when nothing else is requested. @default none */
  readonly cameras?: readonly SceneCamera[]
  /** The path used when none is requested and it has no camera. */
  readonly defaultCamera: CameraPathName
  readonly framing: Framing
  /** Linear scale before tone mapping, above 0. */
  readonly exposure: number
  /** The file that it was read from, for messages; in an archive, the path of that and the name in it. */
  readonly path?: string
  /** Paths of the files it was read from, and of those that were looked for next to them but do not exist. */
  readonly files: readonly string[]
  /** Of those, links that were not followed because they lead out of its folder. @default none */
  readonly unfollowed?: readonly string[]
  /** Features of the scene file that were left out, one sentence each; empty if none were. */
  readonly problems: readonly string[]
  /** What else the scene file contains; absent for formats without such things. */
  readonly declared?: DeclaredContents
  /** How it moves. @default not at all */
  readonly motion?: Motion
}

/** A scene that changes with time. It is loaded as it is at time 0 of frame 0, and its subject and framing are of that time. */
export interface Motion {
  /** Its length, after which it begins again; undefined if it has none. */
  readonly seconds: number | undefined
  /** Changes the scene to what it is at a time, s: the same in whichever order times are asked for. */
  setTime(seconds: number, frame: number): void | Promise<void>
  /** At most so many times, s, to look for something in a scene that is empty at time 0: if there ever is, then at one of these. */
  times(most: number): readonly number[]
  /** Its own cameras now; as many as it was loaded with, in the same order. */
  cameras(): readonly SceneCamera[]
}

/** What a file contains that only its loader can count. */
export interface DeclaredContents {
  /** Pictures that its materials use, each once; bytes of their decoded texels. */
  readonly textures: { readonly count: number; readonly bytes: number }
  readonly animations: readonly { readonly name: string; readonly seconds: number }[]
  /** Names of the variants of its materials. */
  readonly variants: readonly string[]
  readonly extensions: readonly UsedExtension[]
}

/** An extension of its format that a file uses. */
export interface UsedExtension {
  readonly name: string
  /** Whether the file cannot be understood without it. */
  readonly required: boolean
  /** Whether what the file says with it is shown. */
  readonly honoured: boolean
}

/** An entry of the registry of built-in scenes. */
export interface SceneSource {
  /** Name on the command line, and of the file that builds the scene. */
  readonly name: string
  /** One line for `sortfirst scenes`. */
  readonly description: string
  /** Whether it has a group named 'floor' that can be left out. */
  readonly floor: boolean
  /** Builds a new scene; the same on every call. */
  load(): Promise<LoadedScene>
}

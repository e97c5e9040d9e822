/** All that the kernel's memory is made of, and the numbers that stand for words in it: what its accessors are generated from. */
import {
  ALBEDO,
  ALBEDO_ROW,
  ALBEDOS,
  CLEAR_ALBEDO,
  CLEAR_MEANS,
  CLEAR_ROW,
  CLEAR_SIDE,
  GLASS_ALBEDO,
  SPECULAR_ALBEDO,
} from './albedos.ts'
import {
  INSTANCE,
  MATERIAL_SLOT,
  MATRIX_ROW,
  OBJECT_RUN,
  PLACED_TRIANGLE,
  PLACED_VERTEX,
  RUN,
  TANGENT_FLOATS,
  TREE,
} from './instances.ts'
import {
  CHOICE,
  LIGHT,
  LIGHT_BOX,
  LIGHT_CHOICE,
  LIGHT_CONE,
  LIGHT_KINDS,
  LIGHT_LEVELS,
  LIGHT_NODE,
  LIT_TRIANGLE,
  MAP_GRID,
  NO_LEAF,
  TREE_LIGHT,
} from './light.ts'
import { MAPS, MATERIAL, MATERIAL_KINDS, MEDIA, MEDIUM, MODELS, PASSING, TEXTURE_USE, VARIES } from './material.ts'
import { CHILD, CORNER, GROUP, ID, NODE, SLAB, SLOT, TANGENT, TRIANGLE4, UV, VERTEX, VERTEX_COLOR } from './mesh.ts'
import {
  AIM,
  AMBIENT_LIGHT,
  CAMERA_SAMPLE,
  DRAWN,
  HIT,
  LIGHT_SAMPLE,
  MET,
  PATH,
  RAY,
  SHADOW,
  SHADOW_LIGHT,
  SURFACE,
} from './rays.ts'
import type { RecordOf } from './record.ts'
import { LIGHT_GROUP, LIGHT_GROUPS, SCENE } from './scene.ts'
import { LEVEL, TEXELS, TEXTURE, WRAPS } from './texture.ts'
import { ANSWER, COVERAGE, COVERED_BY, FEATURES, INTEGRATORS, LISTED, SUM, VIEW, VIEW_FLAGS } from './view.ts'

export const RECORDS: readonly RecordOf[] = [
  ...[
    SCENE,
    LIGHT_GROUP,
    VIEW,
    SUM,
    FEATURES,
    COVERAGE,
    LISTED,
    MATERIAL,
    MEDIUM,
    TEXTURE_USE,
    TEXTURE,
    LEVEL,
    LIGHT,
    LIGHT_NODE,
    LIGHT_BOX,
    LIGHT_CONE,
    LIGHT_CHOICE,
    TREE_LIGHT,
    LIT_TRIANGLE,
    CHOICE,
    ANSWER,
  ],
  ...[ALBEDOS, ALBEDO_ROW, SPECULAR_ALBEDO, GLASS_ALBEDO, CLEAR_ALBEDO, CLEAR_ROW, CLEAR_SIDE, CLEAR_MEANS],
  ...[VERTEX, VERTEX_COLOR, UV, TANGENT, GROUP, NODE, CORNER, TRIANGLE4],
  ...[INSTANCE, MATRIX_ROW, MATERIAL_SLOT, TREE, RUN, OBJECT_RUN, TANGENT_FLOATS, PLACED_VERTEX, PLACED_TRIANGLE],
  ...[RAY, HIT, MET, SURFACE, PATH, SHADOW_LIGHT, AMBIENT_LIGHT, DRAWN, CAMERA_SAMPLE, LIGHT_SAMPLE, AIM],
]

/** By the names of their namespaces in the kernel. */
export const NUMBERS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  MaterialKind: MATERIAL_KINDS,
  Model: MODELS,
  Varies: VARIES,
  Passing: PASSING,
  Media: MEDIA,
  MapName: MAPS,
  Wrap: WRAPS,
  Texels: TEXELS,
  LightKind: LIGHT_KINDS,
  Choosing: { groups: LIGHT_GROUPS, noLeaf: NO_LEAF, levels: LIGHT_LEVELS },
  MapGrid: MAP_GRID,
  Integrator: INTEGRATORS,
  ViewFlag: VIEW_FLAGS,
  CoveredBy: COVERED_BY,
  Albedo: ALBEDO,
  Shadow: SHADOW,
  Id: ID,
  Slot: SLOT,
  Child: CHILD,
  Slab: SLAB,
}

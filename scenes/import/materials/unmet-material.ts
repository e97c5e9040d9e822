/** What a three material asks for that is not traced, one clause each: the rest of a sentence that names it. */
import {
  CustomBlending,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshPhongMaterial,
  MeshStandardMaterial,
  NoBlending,
  NormalBlending,
  Material as ThreeMaterial,
} from 'three'

export function unmetOf(material: Material): string[] {
  const { blending, clippingPlanes, colorWrite, onBeforeCompile } = material
  return [
    shadingOf(material),
    onBeforeCompile !== ThreeMaterial.prototype.onBeforeCompile &&
      !isShader(material) &&
      'its changes to the shader (onBeforeCompile) are left out',
    'wireframe' in material && material.wireframe === true && 'is shown solid: wireframes are not supported',
    blending !== NormalBlending &&
      blending !== NoBlending &&
      `is blended by its opacity: ${BLENDING[blending] ?? 'this'} blending is not supported`,
    clippingPlanes && clippingPlanes.length > 0 && 'is shown whole: clipping planes are not supported',
    !colorWrite && 'is shown, although it writes no colour in three.js',
  ].filter(clause => typeof clause === 'string')
}

const BLENDING: Readonly<Record<number, string>> = {
  2: 'additive',
  3: 'subtractive',
  4: 'multiplying',
  [CustomBlending]: 'custom',
}

const TRACED = [MeshBasicMaterial, MeshLambertMaterial, MeshPhongMaterial, MeshStandardMaterial]

const isShader = (material: Material): boolean => 'isShaderMaterial' in material || 'isNodeMaterial' in material

/** How it is shaded otherwise than in three. */
function shadingOf(material: Material): string | undefined {
  if (TRACED.some(type => material instanceof type)) return undefined
  const shown = 'color' in material ? 'is shown diffuse, in its plain colour' : 'is shown grey'
  if ('isNodeMaterial' in material) return `${shown}: nodes are not evaluated`
  if ('isShaderMaterial' in material) return `${shown}: shaders are not run`
  if (!('color' in material)) return 'has no colour and is shown grey'
  if ('isMeshToonMaterial' in material) return 'is shaded smoothly: toon shading is not supported'
  if ('isMeshMatcapMaterial' in material) return 'is shown diffuse: matcaps are not supported'
  if ('isShadowMaterial' in material) return 'is shown as a surface: catching only shadows is not supported'
  return `${shown}: materials of this type are not supported`
}

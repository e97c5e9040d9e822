/** Materials without light: what is left of each is its colour, its opacity, and which sides it has. */
import { Color, Line, type Material, Mesh, MeshBasicMaterial, type Object3D, Points, Sprite, Texture } from 'three'

/** Replaces the materials of all meshes; lines and points are hidden, since only triangles are compared. */
export function showUnlit(scene: Object3D, anisotropy: number): void {
  const replaced = new Map<Material, Material>()
  const replacement = (material: Material): Material => {
    const known = replaced.get(material) ?? unlit(material, anisotropy)
    replaced.set(material, known)
    return known
  }
  scene.traverse(object => {
    object.frustumCulled = false
    if (object instanceof Line || object instanceof Points || object instanceof Sprite) object.layers.disableAll()
    if (object instanceof Mesh)
      object.material = Array.isArray(object.material) ? object.material.map(replacement) : replacement(object.material)
  })
}

/** Then: what shines through is white all over, everything else black. */
export function showBlended(scene: Object3D): void {
  scene.traverse(object => {
    if (!(object instanceof Mesh)) return
    for (const material of [object.material].flat() as MeshBasicMaterial[]) {
      material.vertexColors = false
      material.color.set(material.transparent ? 'white' : 'black')
      if (material.transparent) {
        material.map = null
        material.opacity = 1
      }
      material.needsUpdate = true
    }
  })
}

function unlit(material: Material, anisotropy: number): MeshBasicMaterial {
  const { side, transparent, opacity, alphaTest, vertexColors, depthWrite } = material
  const color = 'color' in material && material.color instanceof Color ? material.color : new Color('white')
  const map = 'map' in material && material.map instanceof Texture ? material.map : null
  if (map) map.anisotropy = anisotropy
  return new MeshBasicMaterial({
    ...{ color, map, side, transparent, opacity, alphaTest, vertexColors, depthWrite },
    ...{ toneMapped: false, fog: false },
  })
}

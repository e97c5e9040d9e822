/** Materials without light: what is left of each is its colour, its opacity, and which sides it has. */
import { Color, Line, type Material, Mesh, MeshBasicMaterial, type Object3D, Points, Sprite, Texture } from 'three'

/** The meshes of a scene, in other materials than their own. Lines and points are hidden, since only triangles are compared. */
export class UnlitMeshes {
  readonly #materials = new Map<Mesh, Material | Material[]>()
  readonly #anisotropy: number

  constructor(scene: Object3D, anisotropy: number) {
    this.#anisotropy = anisotropy
    scene.traverse(object => {
      object.frustumCulled = false
      if (object instanceof Line || object instanceof Points || object instanceof Sprite) object.layers.disableAll()
      if (object instanceof Mesh) this.#materials.set(object, object.material)
    })
  }

  /** In the colours that their own materials have now. */
  showUnlit(): void {
    this.#replace(material => unlit(material, this.#anisotropy))
  }

  /** What shines through is white all over, everything else black. */
  showBlended(): void {
    this.#replace(material => marked(unlit(material, this.#anisotropy)))
  }

  #replace(made: (material: Material) => Material): void {
    const known = new Map<Material, Material>()
    const replacement = (material: Material): Material => {
      const one = known.get(material) ?? made(material)
      known.set(material, one)
      return one
    }
    for (const [mesh, own] of this.#materials)
      mesh.material = Array.isArray(own) ? own.map(replacement) : replacement(own)
  }
}

function marked(material: MeshBasicMaterial): MeshBasicMaterial {
  material.vertexColors = false
  material.color.set(material.transparent ? 'white' : 'black')
  if (material.transparent) {
    material.map = null
    material.opacity = 1
  }
  return material
}

function unlit(material: Material, anisotropy: number): MeshBasicMaterial {
  const { side, transparent, opacity, alphaTest, vertexColors, depthWrite } = material
  const color = 'color' in material && material.color instanceof Color ? material.color : new Color('white')
  const map = 'map' in material && material.map instanceof Texture ? material.map : null
  if (map) map.anisotropy = anisotropy
  return new MeshBasicMaterial({
    color,
    map,
    side,
    transparent,
    opacity,
    alphaTest,
    vertexColors,
    depthWrite,
    toneMapped: false,
    fog: false,
  })
}

/**
 * A flower of 500 petals that opens and closes: a procedural scene that moves, with nothing to load.
 *
 *     sortfirst render scenes/examples/bloom.js --integrator path --samples 64 --frames 1
 */
import * as THREE from 'three'

const PETALS = 500
const SECONDS = 8
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/** Dark in the heart of the flower, bright at its rim. */
const COLORS = ['#2b0a3d', '#7b1450', '#d8344f', '#f98a5b', '#ffe3b0'].map(color => new THREE.Color(color))

const scene = new THREE.Scene()

const petals = new THREE.InstancedMesh(
  petalGeometry(),
  new THREE.MeshPhysicalMaterial({ roughness: 0.5, clearcoat: 0.4, clearcoatRoughness: 0.3 }),
  PETALS,
)
petals.name = 'petals'
for (let i = 0; i < PETALS; i++) petals.setColorAt(i, colorAt(Math.sqrt(i / PETALS)))
scene.add(petals)

const table = new THREE.Mesh(
  new THREE.CircleGeometry(40, 96).rotateX(-Math.PI / 2),
  new THREE.MeshStandardMaterial({ color: '#1d222b', roughness: 0.4 }),
)
table.position.y = -0.12
scene.add(table)

// Radiance as in three.js; a warm window and a cool one, and hardly any sky.
const warm = new THREE.RectAreaLight('#ffd2a1', 15, 6, 6)
warm.position.set(-7, 6, 3)
const cool = new THREE.RectAreaLight('#9cc4ff', 9, 4, 8)
cool.position.set(6, 4, -6)
for (const light of [warm, cool]) {
  light.lookAt(0, 0.5, 0)
  scene.add(light)
}
scene.add(new THREE.HemisphereLight('#6b7fa8', '#1a1512', 1.5))

const camera = new THREE.PerspectiveCamera(30, 16 / 9, 0.1, 200)

/** The same for the same time, whatever was shown before. */
function update(time) {
  const turns = time / SECONDS
  const petal = new THREE.Object3D()
  petal.rotation.order = 'YXZ'
  for (let i = 0; i < PETALS; i++) {
    // Vogel's spiral: equal areas, no two petals in one direction.
    const out = Math.sqrt((i + 0.5) / PETALS)
    const angle = i * GOLDEN_ANGLE
    // A wave that travels from the heart to the rim.
    const open = 0.5 - 0.5 * Math.cos(2 * Math.PI * (turns - 0.35 * out))
    petal.position.set(1.9 * out * Math.sin(angle), 0.5 * (1 - out ** 2), 1.9 * out * Math.cos(angle))
    petal.rotation.set(-1.35 + (0.35 + 0.75 * open) * (0.35 + out), angle, 0)
    petal.scale.setScalar(0.35 + 0.75 * out)
    petal.updateMatrix()
    petals.setMatrixAt(i, petal.matrix)
  }
  const azimuth = 0.5 + 0.35 * Math.sin(2 * Math.PI * turns)
  camera.position.set(7.6 * Math.sin(azimuth), 5.6, 7.6 * Math.cos(azimuth))
  camera.lookAt(0, 0.15, 0)
}

export default { scene, camera, update, seconds: SECONDS, exposure: 1.3, name: 'bloom' }

/** A leaf that points along +z, hollow on its upper side, pointed at its end. */
function petalGeometry() {
  const geometry = new THREE.SphereGeometry(1, 20, 14)
  const { position } = geometry.attributes
  for (let vertex = 0; vertex < position.count; vertex++) {
    const [x, y, z] = [position.getX(vertex), position.getY(vertex), position.getZ(vertex)]
    const along = (z + 1) / 2
    const width = 0.34 * (1 - along ** 3 * 0.8) * (0.35 + 0.65 * Math.sqrt(along))
    position.setXYZ(vertex, x * width, y * 0.035 + 0.3 * (x * width) ** 2 + 0.12 * along ** 2, along)
  }
  geometry.computeVertexNormals()
  return geometry
}

/** @param share of the way from the heart to the rim */
function colorAt(share) {
  const at = share * (COLORS.length - 1)
  const from = Math.min(Math.floor(at), COLORS.length - 2)
  return COLORS[from].clone().lerp(COLORS[from + 1], at - from)
}

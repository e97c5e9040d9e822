/**
 * Paper boats of a glTF file on a swell that moves: a model that is loaded, repeated, repainted and carried by a geometry that changes.
 *
 *     sortfirst render scenes/examples/paper-boats.js --integrator path --samples 64 --frames 1
 */
import * as THREE from 'three'

const SECONDS = 12

/** Waves that are whole again after SECONDS: direction, length, height in units; how often they come. */
const WAVES = [
  { x: 0.9, z: 0.4, length: 7.5, height: 0.2, times: 4 },
  { x: -0.3, z: 1, length: 4.1, height: 0.1, times: 6 },
  { x: 0.7, z: -0.8, length: 2.3, height: 0.035, times: 9 },
]

const FLEET = [
  { x: 0.3, z: 2.2, heading: 0.12, color: '#f4efe2' },
  { x: -2.5, z: -0.4, heading: -0.2, color: '#e4572e' },
  { x: 2.7, z: -1.4, heading: 0.8, color: '#f2b134' },
  { x: 1.1, z: -4.4, heading: -0.1, color: '#f4efe2' },
  { x: -5.4, z: -4.4, heading: 0.3, color: '#4f9d8f' },
  { x: 4.6, z: -6, heading: 0.6, color: '#e4572e' },
  { x: -1.2, z: -9, heading: 0.5, color: '#f2b134' },
]

export default async function build({ loadModel }) {
  const scene = new THREE.Scene()
  const boat = (await loadModel('paper-boat.gltf')).scene
  const boats = FLEET.map(({ color }) => {
    const own = boat.clone()
    own.traverse(object => {
      if (!object.isMesh) return
      object.material = object.material.clone()
      object.material.color.set(color)
    })
    scene.add(own)
    return own
  })

  const sea = new THREE.Mesh(
    new THREE.PlaneGeometry(60, 60, 240, 240).rotateX(-Math.PI / 2).translate(0, 0, -18),
    new THREE.MeshPhysicalMaterial({ color: '#12647a', roughness: 0.22, ior: 1.33 }),
  )
  sea.name = 'sea'
  scene.add(sea)

  const sun = new THREE.DirectionalLight('#ffd9a8', 4.2)
  sun.position.set(-6, 4.5, 5)
  // Degrees: a wide disc has soft shadows.
  sun.userData.angle = 6
  scene.add(sun, new THREE.HemisphereLight('#9cc3ee', '#20343c', 2.8))

  const camera = new THREE.PerspectiveCamera(32, 16 / 9, 0.1, 500)
  camera.position.set(1.2, 2.4, 9)
  camera.lookAt(-0.2, 0.1, -1.2)

  return {
    ...{ scene, camera, seconds: SECONDS, name: 'paper-boats' },
    update(time) {
      const { position } = sea.geometry.attributes
      for (let vertex = 0; vertex < position.count; vertex++)
        position.setY(vertex, heightAt(position.getX(vertex), position.getZ(vertex), time))
      sea.geometry.computeVertexNormals()
      FLEET.forEach(({ x, z, heading }, i) => {
        const up = normalAt(x, z, time)
        boats[i].position.set(x, heightAt(x, z, time) + 0.02, z)
        boats[i].quaternion
          .setFromUnitVectors(new THREE.Vector3(0, 1, 0), up)
          .multiply(new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), heading * Math.PI))
      })
    },
  }
}

function heightAt(x, z, time) {
  let height = 0
  for (const wave of WAVES) {
    const turns = (wave.x * x + wave.z * z) / wave.length - (wave.times * time) / SECONDS
    height += wave.height * Math.sin(2 * Math.PI * turns)
  }
  return height
}

function normalAt(x, z, time) {
  const step = 0.3
  const slopeX = (heightAt(x + step, z, time) - heightAt(x - step, z, time)) / (2 * step)
  const slopeZ = (heightAt(x, z + step, time) - heightAt(x, z - step, time)) / (2 * step)
  return new THREE.Vector3(-slopeX, 1, -slopeZ).normalize()
}

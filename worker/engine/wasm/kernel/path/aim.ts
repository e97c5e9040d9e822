/**
 * Where hits that are shaded one after another look for light. Directions towards lights are chosen for all of them before any is shaded, as their numbers
 * are drawn (`drawn.ts`): a step of such a choice waits for the one before, and what follows in shading depends on the direction by branches that
 * nothing predicts. Of several hits the processor works on all at once. With many lights a step waits for memory, too: what it reads is fetched for the
 * whole batch, in short loops without other work.
 */
import { Aim, Choosing, Drawn, Hit, LightChoice, LightSample, Path, Scene, Surface } from '../records'
import { two } from '../surface/math/doubles'
import { cosTurns, sinTurns } from '../surface/math/trig'
import { surfaces, touched } from '../surface/workspace'
import { chooseDistant, choicesIn, DISTANT, restOfDistant } from './lights/choose'
import { ANY_FACING, facingOf } from './lights/facing'
import { sampleChosen, sampleFar } from './lights/lights'
import { beginChoice, chosenNumber, endChoice, goDown, rest, touchNode } from './lights/tree'
import { litOf, touchLit } from './lights/triangle'
import { passesLight, scattersWidely } from './lobes/lobes'
import { blue, density, green, reach, red, x, y, z } from './result'
import { aims, bounces, choices, drawn, waiting } from './workspace'

/** The group of lights in the scene. */
const NEAR: u32 = 1

/** Aims for the batch of hits from `first` to `beyond`, whose surfaces and numbers are known. */
export function aimHits(first: u32, beyond: u32): void {
  let asked: u32 = 0
  let aim = aims
  for (let hit = first, four = surfaces; hit < beyond; four += Surface.BYTES) {
    const next = min<u32>(hit + 4 * Hit.BYTES, beyond)
    for (let surface = four; hit < next; hit += Hit.BYTES, surface += 4, aim += Aim.BYTES) {
      const material = Surface.material(surface)
      const asks = <u32>(<u32>Path.scattered(Hit.weight(hit)) <= bounces && scattersWidely(material))
      Aim.setSurface(aim, surface)
      Aim.setAsks(aim, asks)
      asked += asks
      const anyFacing = Scene.map() == 0 || passesLight(material)
      Aim.setFacing(aim, anyFacing ? ANY_FACING : facingOf(Surface.nx(surface), Surface.ny(surface), Surface.nz(surface)))
    }
  }
  if (asked == 0) return
  if (choicesIn(DISTANT) != 0) aimFar(aim)
  if (choicesIn(NEAR) != 0) aimNear(aim)
}

/** @param end of the aims */
function aimFar(end: u32): void {
  for (let aim = aims, numbers = drawn; aim < end; aim += Aim.BYTES, numbers += Drawn.BYTES) {
    Aim.setDistant(aim, chooseDistant(Drawn.lightU(numbers)))
    Aim.setRest(aim, restOfDistant)
  }
  for (let aim = aims; aim < end; aim += 2 * Aim.BYTES) {
    const angles = anglesOf(aim)
    setCircles(aim, cosTurns(angles), sinTurns(angles))
  }
  for (let aim = aims, numbers = drawn; aim < end; aim += Aim.BYTES, numbers += Drawn.BYTES) {
    if (Aim.asks(aim) == 0) continue
    const probability = sampleFar(
      Aim.distant(aim),
      Aim.facing(aim),
      Aim.rest(aim),
      Aim.cosine(aim),
      Aim.sine(aim),
      Drawn.lightV(numbers),
    )
    keepAnswer(Aim.samples(aim, DISTANT), probability)
  }
}

/** Of two hits. */
@inline
function anglesOf(aim: u32): v128 {
  return two(Aim.rest(aim), Aim.rest(aim + Aim.BYTES))
}

@inline
function setCircles(aim: u32, cosines: v128, sines: v128): void {
  Aim.setCosine(aim, f64x2.extract_lane(cosines, 0))
  Aim.setSine(aim, f64x2.extract_lane(sines, 0))
  Aim.setCosine(aim + Aim.BYTES, f64x2.extract_lane(cosines, 1))
  Aim.setSine(aim + Aim.BYTES, f64x2.extract_lane(sines, 1))
}

function aimNear(end: u32): void {
  let count: u32 = 0
  for (let aim = aims, numbers = drawn, choice = choices; aim < end; aim += Aim.BYTES) {
    if (Aim.asks(aim) != 0) {
      const surface = Aim.surface(aim)
      beginChoice(choice, Surface.litX(surface), Surface.litY(surface), Surface.litZ(surface), Drawn.lightU(numbers))
      store<u32>(waiting + count * 4, choice)
      count++
    }
    numbers += Drawn.BYTES
    choice += LightChoice.BYTES
  }
  // What is read next is brought into the cache for all of them together.
  let sum: u32 = 0
  while (count > 0) {
    for (let i: u32 = 0; i < count; i++) sum += touchNode(load<u32>(waiting + i * 4))
    let left: u32 = 0
    for (let i: u32 = 0; i < count; i++) {
      const choice = load<u32>(waiting + i * 4)
      store<u32>(waiting + left * 4, choice)
      left += <u32>goDown(choice)
    }
    count = left
  }
  for (let aim = aims, choice = choices; aim < end; aim += Aim.BYTES, choice += LightChoice.BYTES) {
    if (Aim.asks(aim) == 0) continue
    const probability = endChoice(choice)
    LightChoice.setProbability(choice, probability)
    LightChoice.setNumber(choice, chosenNumber)
    LightChoice.setRest(choice, rest)
  }
  const lights = Scene.lightCount()
  for (let aim = aims, choice = choices; aim < end; aim += Aim.BYTES, choice += LightChoice.BYTES) {
    store<u32>(waiting + count * 4, LightChoice.number(choice) - lights)
    count += Aim.asks(aim) & <u32>(LightChoice.probability(choice) > 0) & <u32>(LightChoice.number(choice) >= lights)
  }
  for (let i: u32 = 0; i < count; i++) store<u32>(waiting + i * 4, litOf(load<u32>(waiting + i * 4)))
  for (let i: u32 = 0; i < count; i++) sum += touchLit(load<u32>(waiting + i * 4))
  // Without a use of the values, compilers would drop the loads.
  store<u32>(touched, sum)
  for (let aim = aims, numbers = drawn, choice = choices; aim < end; aim += Aim.BYTES) {
    if (Aim.asks(aim) != 0) {
      const surface = Aim.surface(aim)
      const probability = sampleChosen(
        LightChoice.number(choice),
        LightChoice.rest(choice),
        LightChoice.probability(choice),
        Surface.litX(surface),
        Surface.litY(surface),
        Surface.litZ(surface),
        Drawn.lightV(numbers),
      )
      keepAnswer(Aim.samples(aim, NEAR), probability)
    }
    numbers += Drawn.BYTES
    choice += LightChoice.BYTES
  }
}

@inline
function keepAnswer(sample: u32, probability: f64): void {
  LightSample.setLightRed(sample, red)
  LightSample.setLightGreen(sample, green)
  LightSample.setLightBlue(sample, blue)
  LightSample.setDensity(sample, density)
  LightSample.setDirectionX(sample, x)
  LightSample.setDirectionY(sample, y)
  LightSample.setDirectionZ(sample, z)
  LightSample.setReach(sample, reach)
  LightSample.setProbability(sample, probability)
}

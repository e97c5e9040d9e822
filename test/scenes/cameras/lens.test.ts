import { describe, expect, it } from 'vitest'
import { withLens } from '../../../scenes/cameras/lens.ts'
import { type Camera, cameraSchema } from '../../../shared/frame/view.ts'

const camera: Camera = {
  origin: [0, 0, 10],
  right: [1, 0, 0],
  up: [0, 1, 0],
  back: [0, 0, 1],
  tanHalfX: 0.6,
  tanHalfY: 0.3,
  near: 0.1,
  far: 100,
}

describe('a camera with a lens', () => {
  it('has the aperture of a full-frame camera, and the subject in focus', () => {
    // 24 mm of film and a tangent of 0.3: a focal length of 40 mm; at f/2 an aperture of 20 mm.
    const { lens } = withLens(camera, { fNumber: 2 }, [3, 1, 4])
    expect(lens).toEqual({ radius: expect.closeTo(0.01, 12), focus: 6 })
    expect(withLens(camera, { fNumber: 2, focus: 3, blades: 7 }, [0, 0, 0]).lens).toEqual({
      radius: expect.closeTo(0.01, 12),
      focus: 3,
      blades: 7,
    })
  })

  it('does not focus on what is behind it', () => {
    expect(withLens(camera, { fNumber: 1 }, [0, 0, 20]).lens!.focus).toBe(0.1)
  })

  it('shows as much of the subject with parallel rays', () => {
    const parallel = withLens(camera, { orthographic: true }, [0, 0, 0])
    expect(parallel).toEqual({ ...camera, tanHalfX: 6, tanHalfY: 3, orthographic: true })
    expect(cameraSchema.safeParse(parallel).success).toBe(true)
  })
})

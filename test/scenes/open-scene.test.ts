import { describe, expect, it } from 'vitest'
import { openScene } from '../../scenes/open-scene.ts'

describe('opening a scene', () => {
  it('takes a built-in name', async () => {
    expect((await openScene('corner')).name).toBe('corner')
  })

  it.each([
    [
      'dragn',
      "unknown scene 'dragn': expected one of dragon, corner, crowd, glass, lamps, still-life, or a file or folder that exists; did you mean 'dragon'?",
    ],
    ['', "unknown scene ''"],
  ])("does not know '%s', and says what it knows", async (name, message) => {
    await expect(openScene(name)).rejects.toMatchObject({ code: 'UNKNOWN_NAME', exitCode: 2 })
    await expect(openScene(name)).rejects.toThrow(message)
  })

  it.each([
    ['dragon.ply', 'SCENE_FILE_MISSING'],
    ['no/such/thing', 'SCENE_FILE_MISSING'],
    ['./test/scenes/', 'NO_SCENE_IN_FOLDER'],
  ])("takes '%s' for a path", async (path, code) => {
    await expect(openScene(path)).rejects.toMatchObject({ code })
  })
})

/** Reads mattes as programs for compositing do (Cryptomatte 1.2.0): names by the header's manifest, coverage by the ranks of ids. */
import { readExr } from './read-exr.ts'

export interface ReadMatte {
  /** Of its words in the header. */
  readonly key: string
  readonly names: ReadonlySet<string>
  /** Of each pixel, by names. */
  readonly coverage: readonly ReadonlyMap<string, number>[]
}

export function mattesIn(file: Uint8Array): ReadonlyMap<string, ReadMatte> {
  const { channels, words } = readExr(file)
  const mattes = new Map<string, ReadMatte>()
  for (const [word, name] of Object.entries(words)) {
    const [, key] = /^(cryptomatte\/[0-9a-f]{7})\/name$/.exec(word) ?? []
    if (!key) continue
    if (words[`${key}/hash`] !== 'MurmurHash3_32' || words[`${key}/conversion`] !== 'uint32_to_float32')
      throw new Error(`${key}: unknown hash or conversion`)
    const manifest: Record<string, string> = JSON.parse(words[`${key}/manifest`]!)
    const byId = new Map(Object.entries(manifest).map(([name, hex]) => [floatOf(hex), name]))
    const coverage = Array.from(channels[`${name}00.R`]!, () => new Map<string, number>())
    for (let level = 0; channels[`${name}0${level}.R`]; level++)
      for (const [id, share] of ['RG', 'BA'])
        channels[`${name}0${level}.${id}`]!.forEach((value, pixel) => {
          const covered = channels[`${name}0${level}.${share}`]![pixel]!
          if (covered === 0) return
          const called = byId.get(value) ?? `unknown ${value}`
          coverage[pixel]!.set(called, (coverage[pixel]!.get(called) ?? 0) + covered)
        })
    mattes.set(name, { key, names: new Set(Object.keys(manifest)), coverage })
  }
  return mattes
}

/** The float with these bits. */
const floatOf = (hex: string): number => Buffer.from(hex, 'hex').readFloatBE(0)

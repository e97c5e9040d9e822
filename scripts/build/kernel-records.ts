/** Build step: writes the kernel's accessors of the records that `worker/engine/wasm/records` declares, in AssemblyScript. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { moduleUrl } from '../../shared/node/program-files.ts'
import { NUMBERS, RECORDS } from '../../worker/engine/wasm/records/index.ts'
import { MAP_EFFECTS } from '../../worker/engine/wasm/records/map-effects.ts'
import { accessorsOf } from './accessors.ts'
import { mapEffectsOf } from './map-effects.ts'

/** The compiler reads it beside the kernel's sources. */
const TARGET = new URL('../worker/engine/wasm/kernel/records.ts', moduleUrl(''))

writeFileSync(fileURLToPath(TARGET), `${accessorsOf(RECORDS, NUMBERS)}\n${mapEffectsOf(MAP_EFFECTS)}`)

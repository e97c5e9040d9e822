import { runUseless } from './useless-device.ts'

runUseless('open')

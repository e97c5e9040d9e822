/**
 * The package: scenes, clusters and frames for other programs. The command line uses only this API. Importing has no effect.
 */
import type { OwnPredictor, OwnStrategy } from './plug-ins.ts'

export type { CostMap } from '../../master/costs/cost-map.ts'
export type { FrameInput, Plan, PlannedTile } from '../../master/strategies/strategy.ts'
export type { CameraPathName } from '../../scenes/cameras/camera-words.ts'
export type { Viewpoint } from '../../scenes/cameras/viewpoint.ts'
export type { SceneContents } from '../../scenes/import/scene-contents.ts'
export type { SceneLook } from '../../scenes/look/scene-look.ts'
export type { ModuleScene, SceneModule } from '../../scenes/module/built-scene.ts'
export { SortfirstError, UsageError } from '../../shared/errors.ts'
export type { FrameProgress } from '../../shared/frame/frame-progress.ts'
export type { FrameReport, WorkerInfo } from '../../shared/frame/frame-report.ts'
export type { Size } from '../../shared/frame/rect.ts'
export type { Camera } from '../../shared/frame/view.ts'
export type { FramePreview } from '../../shared/session/session.ts'
export type { StrategyOptions } from '../../shared/session/strategy-options.ts'
export type { Log } from '../../shared/text/log.ts'
export type { AnyCamera, CameraChoice } from './cameras.ts'
export { type Cluster, type ClusterOptions, type ConnectOptions, connect, startCluster } from './cluster.ts'
export type { Frame } from './frame.ts'
export { type Master, type MasterOptions, startMaster } from './master.ts'
export { type LoadOptions, loadScene, type ReadyScene, type SceneSource } from './ready-scene.ts'
export { render } from './render.ts'
export type { RenderOptions } from './render-options.ts'
export { type RunningWorker, startWorker, type WorkerOptions } from './worker.ts'

/** A custom strategy: see master/strategies/WRITING.md. */
export type Strategy<Memory = unknown> = OwnStrategy<Memory>
/** A custom predictor. */
export type CostPredictor = OwnPredictor

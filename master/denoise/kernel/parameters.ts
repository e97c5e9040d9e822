/** What the method is tuned by. `README.md` has the measurements; the host reads MARGIN and STEP from the compiled module. */

/** Centres of regressions are this many px apart, in both directions, counted from the picture's first pixel. */
export const STEP: i32 = 4
/** Of a centre's window: it has 2 RADIUS + 1 px a side. */
export const RADIUS: i32 = 7
/** Of the windows of pixels that are centres of their own, because no centre of the grid is like them. */
export const OWN_RADIUS: i32 = 4
/** A pixel whose weights add up to less than this has been reached by no centre of the grid. */
export const REACHED: f32 = 1
/** Square of the bandwidth of weights, in variances: a patch that differs by more than its noise counts less. */
export const BANDWIDTH: f32 = 0.38
/** Weights below this are none. */
export const LEAST_WEIGHT: f32 = 1e-3
/** Of the squares in which features are denoised: they have 2 FEATURE_RADIUS + 1 px a side. */
export const FEATURE_RADIUS: i32 = 3
/** Square of a difference of features that is none, even where they have no noise. */
export const LEAST_DIFFERENCE: f32 = 1e-4
/** Px on each side over which noise is averaged, because two halves alone say little about it. */
export const NOISE_RADIUS: i32 = 1
/**
 * The same for the least that noise can be, as a share of the mean over a larger square: where few samples meet light, all samples of a pixel and
 * its neighbours may miss it.
 */
export const FAR_RADIUS: i32 = 4
export const FAR_SHARE: f32 = 0.6
/** The same where the error of what was predicted is estimated. */
export const ERROR_RADIUS: i32 = 3
/** The same where the error of what comes of it is estimated (`error.ts`): at least ERROR_RADIUS, because less noise is more important there. */
export const JUDGED_RADIUS: i32 = 4
/** Standard errors that are subtracted from an estimated error: an estimate of few squares is itself noisy, and noise would come back in patches. */
export const DOUBT: f32 = 1.5
/**
 * Of what is said to be left of the noise, at least: its estimate is a mean over the same squares and its own standard error is 0.45 of the noise,
 * so that less than a third cannot be told from none.
 */
export const LEAST_LEFT: f32 = 1 / 3
/** A half of a pixel may be this many times as bright as the other half of its brightest neighbour. */
export const OUTLIER: f32 = 1.5
/** Pixels whose variance, relative to their brightness, is less are left as they are: 0.5 % of the light. */
export const QUIET: f32 = 2e-5
/** Of slopes, as a share of the weights of the window: features that vary by less than its square root are ignored. */
export const RIDGE: f64 = 3e-4
/** The same for windows of few pixels. */
export const LEAST_RIDGE: f64 = 1e-4
/** What the position within a window counts, from its middle to its edge, beside features from 0 to 1. */
export const POSITION: f32 = 0.2

/** Components of a pixel's features. */
export const FEATURES: i32 = 7
/** Unknowns of a regression for each colour: a constant, features, and the position in x and y. */
export const BASIS: i32 = 1 + FEATURES + 2

/**
 * Px around a rectangle that its pixels depend on: where errors are averaged, where centres reach these pixels, the windows that decide
 * whether pixels within such a window are centres themselves, the windows of those, and a patch, the noise of it and its outliers. Features of that
 * patch need no more: their own noise, a patch and FEATURE_RADIUS.
 */
export const MARGIN: i32 = JUDGED_RADIUS + 3 * RADIUS + 1 + FAR_RADIUS + 1

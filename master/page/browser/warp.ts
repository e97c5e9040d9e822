/**
 * Shows the last picture as it would look from where the view is now, until a newer one is there: the mouse is answered at once, however far away the
 * cluster is. The picture is drawn on a sheet that is bent by the depths of its cells (Mark, McMillan and Bishop, "Post-Rendering 3D Warping",
 * I3D 1997). Where it would be torn, what came into view has the colour of what lies behind; beyond the picture's edge its outermost pixels go on.
 */
import type { Size } from '../../../shared/frame/rect.ts'
import type { FullViewpoint } from '../../../shared/frame/viewpoint.ts'
import type { DepthFacts } from '../../../shared/page/page-depths.ts'
import type { PictureFacts } from '../../../shared/page/page-messages.ts'
import { warpOf } from '../../../shared/page/warp-view.ts'

/** How far the sheet goes on beyond the picture, in its widths and heights. */
const BEYOND = 1
/** Corners of a cell one of which is so many times as near as another are of different things. */
const TORN = 1.15
/** The sheet is torn there once it is stretched to so many times its area. */
const STRETCHED = 2
/** Where the nearest cell of the picture is in the range of depths; as much nearer as it may come without being cut off. */
const NEAREST = 0.05
/** The most pixels that are drawn: bent pictures are not sharp. */
const MOST_PIXELS = 1280 * 720

const VERTICES = `#version 300 es
precision highp float;
uniform highp sampler2D nearness;
uniform ivec2 cells;
uniform float cell;
uniform vec2 size;
uniform vec3 offset;
uniform mat3 from;
uniform mat3 to;
uniform float range;
out vec2 place;
flat out vec2 behind;
flat out float torn;
const ivec2 CORNERS[6] = ivec2[6](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1));
float nearAt(ivec2 at) {
  return texelFetch(nearness, clamp(at, ivec2(0), cells - 1), 0).r;
}
vec2 placeOf(ivec2 at) {
  vec2 pixel = (vec2(at) + 0.5) * cell;
  if (at.x < 0) pixel.x = -size.x * ${BEYOND.toFixed(1)};
  if (at.y < 0) pixel.y = -size.y * ${BEYOND.toFixed(1)};
  if (at.x == cells.x) pixel.x = size.x * (1.0 + ${BEYOND.toFixed(1)});
  if (at.y == cells.y) pixel.y = size.y * (1.0 + ${BEYOND.toFixed(1)});
  return pixel / size;
}
void main() {
  int quad = gl_VertexID / 6;
  int across = cells.x + 1;
  ivec2 first = ivec2(quad % across, quad / across) - 1;
  ivec2 at = first + CORNERS[gl_VertexID % 6];
  float near = nearAt(at);
  float most = 0.0;
  float least = 1e30;
  for (int i = 0; i < 4; i++) {
    ivec2 corner = first + ivec2(i & 1, i >> 1);
    float here = nearAt(corner);
    most = max(most, here);
    if (here < least) {
      least = here;
      behind = placeOf(corner);
    }
  }
  torn = most > least * ${TORN.toFixed(2)} ? 1.0 : 0.0;
  place = placeOf(at);
  vec3 ray = from * vec3(2.0 * place.x - 1.0, 1.0 - 2.0 * place.y, -1.0);
  vec3 seen = to * (offset * near + ray);
  gl_Position = vec4(seen.xy, seen.z * 0.9999 - 2.0 * range * near, seen.z);
}`

const FRAGMENTS = `#version 300 es
precision highp float;
uniform sampler2D picture;
uniform vec2 screen;
in vec2 place;
flat in vec2 behind;
flat in float torn;
out vec4 color;
void main() {
  vec2 across = dFdx(place) * screen.x;
  vec2 along = dFdy(place) * screen.y;
  bool gapes = torn > 0.5 && abs(across.x * along.y - across.y * along.x) * ${STRETCHED.toFixed(1)} < 1.0;
  color = vec4(textureLod(picture, gapes ? behind : place, 0.0).rgb, 1.0);
}`

interface Taken {
  readonly facts: PictureFacts
  readonly viewpoint: FullViewpoint
  readonly depths: DepthFacts
  /** Of the picture that came with them, px. */
  readonly size: Size
}

export class PictureWarp {
  readonly #canvas: HTMLCanvasElement
  readonly #gl: WebGL2RenderingContext
  readonly #place: (name: string) => WebGLUniformLocation | null
  readonly #textures: readonly WebGLTexture[]
  #taken: Taken | undefined

  private constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext, program: WebGLProgram) {
    this.#canvas = canvas
    this.#gl = gl
    this.#place = name => gl.getUniformLocation(program, name)
    gl.useProgram(program)
    gl.uniform1i(this.#place('picture'), 0)
    gl.uniform1i(this.#place('nearness'), 1)
    gl.enable(gl.DEPTH_TEST)
    this.#textures = [gl.LINEAR, gl.NEAREST].map((filter, unit) => {
      const texture = gl.createTexture()
      gl.activeTexture(gl.TEXTURE0 + unit)
      gl.bindTexture(gl.TEXTURE_2D, texture)
      for (const [name, value] of [
        [gl.TEXTURE_MIN_FILTER, filter],
        [gl.TEXTURE_MAG_FILTER, filter],
        [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
        [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
      ] as const)
        gl.texParameteri(gl.TEXTURE_2D, name, value)
      return texture
    })
  }

  /** Undefined where there is no WebGL2: pictures are shown as they come. */
  static on(canvas: HTMLCanvasElement): PictureWarp | undefined {
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, powerPreference: 'low-power' })
    const program = gl?.createProgram()
    if (!gl || !program) return undefined
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, VERTICES],
      [gl.FRAGMENT_SHADER, FRAGMENTS],
    ] as const) {
      const shader = gl.createShader(kind)
      if (!shader) return undefined
      gl.shaderSource(shader, source)
      gl.compileShader(shader)
      gl.attachShader(program, shader)
    }
    gl.linkProgram(program)
    return gl.getProgramParameter(program, gl.LINK_STATUS) ? new PictureWarp(canvas, gl, program) : undefined
  }

  /** The newest picture, from where it was taken. Without depths it has those of one before, if that was of the same view. */
  take(bitmap: ImageBitmap, facts: PictureFacts, viewpoint: FullViewpoint, nearness: Float32Array | undefined): void {
    const gl = this.#gl
    const before = this.#taken?.facts.seq === facts.seq ? this.#taken : undefined
    const { depths, size } = facts.depths ? facts : (before ?? {})
    this.#taken = depths && size && { facts, viewpoint, depths, size }
    if (!depths) return
    gl.activeTexture(gl.TEXTURE0)
    gl.bindTexture(gl.TEXTURE_2D, this.#textures[0]!)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, bitmap)
    if (!nearness) return
    const { columns, rows } = depths
    gl.activeTexture(gl.TEXTURE1)
    gl.bindTexture(gl.TEXTURE_2D, this.#textures[1]!)
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, columns, rows, 0, gl.RED, gl.FLOAT, nearness)
  }

  /** Shows it from elsewhere; false if there is nothing that could be shown. */
  show(viewpoint: FullViewpoint): boolean {
    const [gl, taken, canvas] = [this.#gl, this.#taken, this.#canvas]
    if (!taken || gl.isContextLost()) {
      canvas.hidden = true
      return false
    }
    const { facts, depths, size } = taken
    const { cell, columns, rows, nearest } = depths
    this.#fit(facts.fullSize)
    const { offset, from, to } = warpOf(taken.viewpoint, viewpoint, facts.fullSize[0] / facts.fullSize[1])
    gl.uniform2i(this.#place('cells'), columns, rows)
    gl.uniform1f(this.#place('cell'), cell)
    gl.uniform2f(this.#place('size'), ...size)
    gl.uniform3f(this.#place('offset'), ...offset)
    gl.uniformMatrix3fv(this.#place('from'), false, from)
    gl.uniformMatrix3fv(this.#place('to'), false, to)
    gl.uniform1f(this.#place('range'), nearest * NEAREST)
    gl.uniform2f(this.#place('screen'), canvas.width, canvas.height)
    gl.viewport(0, 0, canvas.width, canvas.height)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    gl.drawArrays(gl.TRIANGLES, 0, (columns + 1) * (rows + 1) * 6)
    canvas.hidden = false
    return true
  }

  hide(): void {
    this.#canvas.hidden = true
  }

  #fit([w, h]: PictureFacts['fullSize']): void {
    const canvas = this.#canvas
    const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (w * h)))
    const [width, height] = [Math.max(1, Math.round(w * scale)), Math.max(1, Math.round(h * scale))]
    if (canvas.width === width && canvas.height === height) return
    canvas.width = width
    canvas.height = height
  }
}

/** Command-line options that define the rendered image, for every command that traces a scene. */
import { Option } from 'commander'
import { DEFAULT_TONE_MAPPING, TONE_MAPPINGS } from '../../shared/light/tone-mapping.ts'

export const cameraOptions = (): Option[] =>
  [
    new Option(
      '--camera-path <path>',
      'a path as for --camera; orbit also with a range of azimuths, such as orbit:30..90',
    ),
    new Option('--camera-name <name>', 'one of the scene’s own cameras (default: its first, if it has any)'),
    new Option('--eye <x,y,z>', 'position of one still camera; render then makes one frame'),
    new Option('--target <x,y,z>', 'what --eye looks at (default: the middle of the subject)'),
    new Option(
      '--up <x,y,z|axis>',
      'up vector of --eye (default: 0,1,0); or the axis of a mesh that points up, such as z or -z',
    ),
    new Option('--fov <degrees>', 'vertical field of view (default: the scene’s)'),
    new Option(
      '--f-number <n>',
      'path: depth of field, of a full-frame camera in a scene in metres (default: all sharp)',
    ),
    new Option('--focus <distance>', 'camera depth in focus (default: the middle of the subject)'),
    new Option('--blades <n>', 'sides of the aperture, 3 to 16 (default: round)'),
    new Option('--orthographic', 'parallel rays, and as much of the subject in the picture'),
  ].map(option => option.helpGroup('Camera:'))

export const lookOptions = (): Option[] =>
  [
    new Option('--no-floor', 'the mesh alone, without a floor'),
    new Option('--background <color>', 'a colour instead of the sky: tomato, #ff6347, or linear r,g,b'),
    new Option('--environment <file>', 'a photographed environment (HDR or EXR) instead of sky and sun'),
    new Option('--environment-rotation <degrees>', 'turns the environment around the vertical axis'),
    new Option('--environment-intensity <factor>', 'multiplies the environment’s light'),
    new Option('--sun <azimuth,elevation>', 'direction of the sun, degrees: 0,30 is above +z, 90,30 above +x'),
    new Option('--material <name>', 'material of a mesh: matte, coated, metal or glass'),
    new Option('--color <color>', 'colour of a mesh: tomato, #ff6347, or linear r,g,b'),
    new Option(
      '--animation <name>',
      'which animation of a glTF file: its name or number, all or none (default: its first)',
    ),
    new Option('--variant <name>', 'which variant of its materials a glTF file has (default: those without)'),
  ].map(option => option.helpGroup('Look:'))

/** How light is computed. Defaults depend on the integrator; none are for a recording. */
export const lightOptions = (): Option[] =>
  [
    new Option('--integrator <name>', 'ambient: fast, sun and sky; path: all light, as it is (default: ambient)').env(
      'SORTFIRST_INTEGRATOR',
    ),
    new Option('--samples <n>', 'camera rays per pixel (default: 2; of a path tracer 64)').env('SORTFIRST_SAMPLES'),
    new Option('--ambient-rays <n>', 'ambient: rays to the sky per camera ray (default: 2)').env(
      'SORTFIRST_AMBIENT_RAYS',
    ),
    new Option('--max-depth <n>', 'ambient: longest chain of mirror and glass hits (default: 6)').env(
      'SORTFIRST_MAX_DEPTH',
    ),
    new Option(
      '--bounces <n>',
      'path: how often light is scattered on its way, 0 for direct light only (default: 8)',
    ).env('SORTFIRST_BOUNCES'),
    new Option('--filter <name>', 'path: pixel filter, box or gaussian (default: box)').env('SORTFIRST_FILTER'),
    new Option(
      '--single-scattering',
      'path: rough metal and glass lose the light that microfacets scatter several times',
    ),
  ].map(option => option.helpGroup('Light:'))

/** How light is shown. */
export const displayOptions = (): Option[] =>
  [
    new Option('--tone-mapping <name>', `as in three.js: ${TONE_MAPPINGS.join(', ')}; none ignores --exposure`).default(
      DEFAULT_TONE_MAPPING,
    ),
    new Option('--exposure <factor>', 'linear scale before tone mapping (default: the scene’s)'),
  ].map(option => option.helpGroup('Look:'))

/** Command-line options that define the rendered image, for every command that traces a scene. */
import { Option } from 'commander'

export const cameraOptions = (): Option[] =>
  [
    new Option(
      '--camera-path <path>',
      'a path as --camera has them; orbit also from one azimuth to another: orbit:30..90',
    ),
    new Option('--eye <x,y,z>', 'one still camera, from here; render makes one frame'),
    new Option('--target <x,y,z>', 'what --eye looks at (default: the middle of the subject)'),
    new Option(
      '--up <x,y,z|axis>',
      'upwards in the frame of --eye (default: 0,1,0); or the axis of a mesh that is up, such as z or -z',
    ),
    new Option('--fov <degrees>', 'vertical field of view (default: the scene’s)'),
  ].map(option => option.helpGroup('Camera:'))

export const lookOptions = (): Option[] =>
  [
    new Option('--no-floor', 'the mesh alone, without a floor'),
    new Option('--background <color>', 'all around instead of the sky: tomato, #ff6347, or linear r,g,b'),
    new Option('--sun <azimuth,elevation>', 'where the sun is, degrees: 0,30 is above +z, 90,30 above +x'),
    new Option('--material <name>', 'what a mesh is made of: matte, coated, metal or glass'),
    new Option('--color <color>', 'of a mesh: tomato, #ff6347, or linear r,g,b'),
  ].map(option => option.helpGroup('Look:'))

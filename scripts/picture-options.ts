/** Command-line options that define the rendered image, for every command that traces a scene. */
import { Option } from 'commander'

export const cameraOptions = (): Option[] =>
  [
    new Option(
      '--camera-path <path>',
      'a path as for --camera; orbit also with a range of azimuths, such as orbit:30..90',
    ),
    new Option('--eye <x,y,z>', 'position of one still camera; render then makes one frame'),
    new Option('--target <x,y,z>', 'what --eye looks at (default: the middle of the subject)'),
    new Option(
      '--up <x,y,z|axis>',
      'up vector of --eye (default: 0,1,0); or the axis of a mesh that points up, such as z or -z',
    ),
    new Option('--fov <degrees>', 'vertical field of view (default: the scene’s)'),
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
  ].map(option => option.helpGroup('Look:'))

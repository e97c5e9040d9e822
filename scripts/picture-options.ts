/** Options of the command line that say what a picture shows, for every command that traces a scene. */
import { Option } from 'commander'

export const cameraOptions = (): Option[] =>
  [
    new Option(
      '--camera-path <path>',
      'a path as --camera has them; orbit also from one azimuth to another: orbit:30..90',
    ),
    new Option('--eye <x,y,z>', 'one still camera, from here'),
    new Option('--target <x,y,z>', 'what --eye looks at (default: the middle of the subject)'),
    new Option('--up <x,y,z>', 'what is up in the frame of --eye (default: 0,1,0)'),
    new Option('--fov <degrees>', 'vertical field of view (default: the scene’s)'),
  ].map(option => option.helpGroup('Camera:'))

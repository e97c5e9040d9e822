/** What `sortfirst tile` is told beside the options of `render` on which the pixels of a frame depend. */
import { group, option } from '../declare/group.ts'
import { path, text, wholeNumber } from '../declare/kinds.ts'

export const tile = group('Options:', ['tile'], {
  frame: option({
    flag: '--frame <n>',
    kind: wholeNumber(0, 0xffffffff),
    help: 'number of the frame',
    mandatory: true,
  }),
  rect: option({ flag: '--rect <x,y,w,h>', kind: text(), help: 'the tile, px', mandatory: true }),
  picture: option({ flag: '-o, --out <file>', kind: path('file'), help: 'PNG file', usual: 'tile.png' }),
})

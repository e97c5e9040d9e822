/**
 * The program of every thread of a tab, which the first message tells what it is. One file, because both parts have most of it in common, and a
 * browser that has compiled it for one need not do so for the next.
 */
import { beginCard } from './card.ts'
import type { CardStart } from './card-messages.ts'
import { beginTab, type TabStart } from './tab.ts'
import { hasOwnSharedMemory, type ThreadStart } from './thread-messages.ts'
import { beginTracing } from './tracer.ts'

hasOwnSharedMemory()
self.addEventListener(
  'message',
  ({ data }: MessageEvent<TabStart | ThreadStart | CardStart>) => {
    if ('settings' in data) beginTracing(data)
    else if ('isCard' in data) void beginCard(data)
    else void beginTab(data)
  },
  { once: true },
)

/** What AssemblyScript calls its numbers: makes `kernel/layout.ts` TypeScript, too, so that the offsets are written once. */
type u32 = number

/** AssemblyScript's number types: they make `kernel/layout.ts` valid TypeScript, too, so that the offsets are defined once. */
type u32 = number

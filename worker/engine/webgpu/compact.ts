/** The text of a shader, or of a module that has shaders, without comments between lines and what only people need. */
export const compact = (text: string): string =>
  text
    .replaceAll(/^\s*\/\*.*?\*\/\n/gms, '')
    .replaceAll(/ \/\*[^*\n]*\*\/$/gm, '')
    .replaceAll(/\n\s*/g, '\n')

/** The DOM that charts need; the package's own types use a different module name. */
declare module '@mixmark-io/domino' {
  export function createDocument(html?: string): object
}

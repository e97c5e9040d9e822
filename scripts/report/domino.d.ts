/** What the charts need of the DOM they are drawn in; the package's own types are for another module name. */
declare module '@mixmark-io/domino' {
  export function createDocument(html?: string): object
}

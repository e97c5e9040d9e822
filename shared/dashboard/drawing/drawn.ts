/**
 * What is drawn of a frame, before it is an element of a page or a piece of a file: the dashboard and the report draw by the same functions, of
 * which neither a document nor text is needed. SVG only; whatever is in it is text.
 */

type Attributes = Readonly<Record<string, string | number | undefined>>

export interface Drawn {
  readonly name: string
  /** Those that are undefined are left out. */
  readonly attributes: Attributes
  readonly children: readonly (Drawn | string)[]
}

export const draw = (name: string, attributes: Attributes, ...children: readonly (Drawn | string)[]): Drawn => ({
  ...{ name, attributes, children },
})

/** A length in px, as fine as anybody sees. */
export const px = (value: number): number => Math.round(value * 10) / 10

/** How an area is called and coloured. */
export interface AreaLook {
  nameOf(area: number): string
  /** CSS. */
  colorOf(area: number): string
}

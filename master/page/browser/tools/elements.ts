/** Parts of the page's panels. */

export const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T
export const button = (id: string): HTMLButtonElement => element(id)

/** Copies a text where the browser lets pages do so; otherwise it is selected, for who copies it by hand. */
export async function copyText(from: HTMLElement): Promise<void> {
  const text = from instanceof HTMLTextAreaElement ? from.value : (from.textContent ?? '')
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    if (from instanceof HTMLTextAreaElement) from.select()
    else getSelection()?.selectAllChildren(from)
  }
}

/** Gives who sees the page a file. */
export function saveText(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  saveFrom(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

export function saveFrom(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** Aborts `inner` when `outer` is aborted; returns a function that unhooks it. */
export function hooked(outer: AbortSignal, inner: AbortController): () => void {
  const abort = () => inner.abort()
  if (outer.aborted) abort()
  outer.addEventListener('abort', abort)
  return () => outer.removeEventListener('abort', abort)
}

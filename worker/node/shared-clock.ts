/** Milliseconds on the one monotonic clock that all threads of a process share (each thread's performance.now() has a zero of its own). */
export function sharedNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

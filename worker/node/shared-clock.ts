/** Milliseconds on a monotonic clock shared by all threads of a process (each thread's performance.now() has its own origin). */
export function sharedNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

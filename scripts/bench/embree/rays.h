/**
 * A set of rays, and Embree's ways to trace it on one thread. Rays lie ready as each way likes them best: eight floats in
 * a row for single rays and streams, eight rows of `width` floats for packets. Answers are distances, infinite for a miss; a
 * blocked any-hit ray's is 0.
 */
#pragma once
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "mesh.h"

constexpr float MISS = std::numeric_limits<float>::infinity();
constexpr int RAY_FLOATS = 8;

struct RaySet {
  size_t count = 0;
  std::vector<float> rows;
  /** Of 16 and of 8 rays; the last one filled up with its last ray. */
  std::vector<float> packets16, packets8;
  std::vector<float> answers;

  explicit RaySet(const std::string& path = "") {
    if (path.empty()) return;
    rows = readFile<float>(path);
    count = rows.size() / RAY_FLOATS;
    packets16 = packed(16);
    packets8 = packed(8);
    answers.resize((count + 15) / 16 * 16);
  }

 private:
  std::vector<float> packed(size_t width) const {
    std::vector<float> packets((count + width - 1) / width * width * RAY_FLOATS);
    for (size_t i = 0; i < packets.size() / RAY_FLOATS; i++)
      for (size_t k = 0; k < RAY_FLOATS; k++)
        packets[(i / width * RAY_FLOATS + k) * width + i % width] = rows[std::min(i, count - 1) * RAY_FLOATS + k];
    return packets;
  }
};

inline RTCIntersectContext contextOf(bool coherent) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  context.flags = coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
  return context;
}

inline RTCRay singleRay(const float* r) {
  RTCRay ray;
  ray.org_x = r[0], ray.org_y = r[1], ray.org_z = r[2], ray.tnear = r[3];
  ray.dir_x = r[4], ray.dir_y = r[5], ray.dir_z = r[6], ray.tfar = r[7];
  ray.time = 0, ray.mask = ~0u, ray.id = 0, ray.flags = 0;
  return ray;
}

inline void traceSingle(RTCScene scene, RaySet& set, bool anyHit, bool coherent) {
  RTCIntersectContext context = contextOf(coherent);
  for (size_t i = 0; i < set.count; i++) {
    if (anyHit) {
      RTCRay ray = singleRay(&set.rows[i * RAY_FLOATS]);
      rtcOccluded1(scene, &context, &ray);
      set.answers[i] = ray.tfar < 0 ? 0 : MISS;
    } else {
      RTCRayHit query;
      query.ray = singleRay(&set.rows[i * RAY_FLOATS]);
      query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(scene, &context, &query);
      set.answers[i] = query.hit.geomID == RTC_INVALID_GEOMETRY_ID ? MISS : query.ray.tfar;
    }
  }
}

/** What differs between packets of 16 and of 8. */
struct Packet16 {
  static constexpr size_t WIDTH = 16;
  using Query = RTCRayHit16;
  using Ray = RTCRay16;
  static const std::vector<float>& raysOf(const RaySet& set) { return set.packets16; }
  static constexpr auto intersect = rtcIntersect16;
  static constexpr auto occluded = rtcOccluded16;
};
struct Packet8 {
  static constexpr size_t WIDTH = 8;
  using Query = RTCRayHit8;
  using Ray = RTCRay8;
  static const std::vector<float>& raysOf(const RaySet& set) { return set.packets8; }
  static constexpr auto intersect = rtcIntersect8;
  static constexpr auto occluded = rtcOccluded8;
};

template <typename P, typename Ray>
inline void takeUp(const float* packet, Ray& ray) {
  constexpr size_t ROW = P::WIDTH * sizeof(float);
  // Origin and tnear, direction, tfar: in the packet as in the ray, but for `time` between the last two.
  memcpy(ray.org_x, packet, 4 * ROW);
  memcpy(ray.dir_x, packet + 4 * P::WIDTH, 3 * ROW);
  memcpy(ray.tfar, packet + 7 * P::WIDTH, ROW);
  memset(ray.time, 0, ROW);
  memset(ray.mask, 0xff, ROW);
  memset(ray.flags, 0, ROW);
}

template <typename P>
void tracePackets(RTCScene scene, RaySet& set, bool anyHit, bool coherent) {
  RTCIntersectContext context = contextOf(coherent);
  alignas(64) int valid[P::WIDTH];
  memset(valid, 0xff, sizeof valid);
  const std::vector<float>& rays = P::raysOf(set);
  for (size_t first = 0; first < set.count; first += P::WIDTH) {
    const float* packet = &rays[first * RAY_FLOATS];
    float* answers = &set.answers[first];
    if (anyHit) {
      typename P::Ray ray;
      takeUp<P>(packet, ray);
      P::occluded(valid, scene, &context, &ray);
      for (size_t i = 0; i < P::WIDTH; i++) answers[i] = ray.tfar[i] < 0 ? 0 : MISS;
    } else {
      typename P::Query query;
      takeUp<P>(packet, query.ray);
      memset(query.hit.geomID, 0xff, sizeof query.hit.geomID);
      memset(query.hit.instID, 0xff, sizeof query.hit.instID);
      P::intersect(valid, scene, &context, &query);
      for (size_t i = 0; i < P::WIDTH; i++)
        answers[i] = query.hit.geomID[i] == RTC_INVALID_GEOMETRY_ID ? MISS : query.ray.tfar[i];
    }
  }
}

/** As many rays as a queue of the kernel holds, handed over at once: Embree makes packets of those that go in similar directions. */
inline void traceStream(RTCScene scene, RaySet& set, bool anyHit, bool coherent) {
  constexpr size_t STREAM = 1024;
  RTCIntersectContext context = contextOf(coherent);
  std::vector<RTCRay> rays(STREAM);
  std::vector<RTCRayHit> queries(STREAM);
  for (size_t first = 0; first < set.count; first += STREAM) {
    const size_t count = std::min(STREAM, set.count - first);
    for (size_t i = 0; i < count; i++) {
      const RTCRay ray = singleRay(&set.rows[(first + i) * RAY_FLOATS]);
      if (anyHit) {
        rays[i] = ray;
      } else {
        queries[i].ray = ray;
        queries[i].hit.geomID = queries[i].hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
      }
    }
    if (anyHit)
      rtcOccluded1M(scene, &context, rays.data(), count, sizeof(RTCRay));
    else
      rtcIntersect1M(scene, &context, queries.data(), count, sizeof(RTCRayHit));
    for (size_t i = 0; i < count; i++) {
      if (anyHit)
        set.answers[first + i] = rays[i].tfar < 0 ? 0 : MISS;
      else
        set.answers[first + i] = queries[i].hit.geomID == RTC_INVALID_GEOMETRY_ID ? MISS : queries[i].ray.tfar;
    }
  }
}
